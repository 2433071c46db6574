//! From builds to a bundle.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tourbillon_record::store::Draft;
use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use super::archive::Writer;
use super::manifest::{Bundle, BundledBuild, BundledFile, SCHEMA};
use crate::cache::build::{Build, Executable, LIBRARIES, OBJECTS};
use crate::cache::programs::DEPS;
use crate::elsewhere::{Platform, platform_of};
use crate::error::{Error, Result};
use crate::invocation::Unwinding;
use crate::placement::link_line::{LinkLine, Word};
use crate::placement::relink::LINE;
use crate::placement::shared_folders::SharedFolders;
use crate::source::commits::checkout_of_all;

/// The variable in which the compiler names its own folders to the linker.
const PATH: &str = "PATH";

/// Where the contents of a file come from.
enum Source {
    File(PathBuf),
    Bytes(Vec<u8>),
}

impl Source {
    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match self {
            Source::File(path) => Box::new(regular_file::open(path)?),
            Source::Bytes(bytes) => Box::new(bytes.as_slice()),
        })
    }
}

/// Collects the files of builds.
#[derive(Default)]
struct Packer {
    /// By hash.
    sources: BTreeMap<String, Source>,
}

impl Bundle {
    /// Writes builds, the reference first, to one file, in place of one of that name.
    ///
    /// The libraries of the toolchain that an executable is linked from are part of it; libraries of the system
    /// are not.
    ///
    /// # Errors
    ///
    /// When programs name their target directory, or a file cannot be read or written.
    pub fn write(builds: &[Build], path: &Path) -> Result<Bundle> {
        let mut packer = Packer::default();
        let mut bundled = Vec::new();
        for build in builds {
            build.check_apart()?;
            bundled.push(packer.build(build)?);
        }
        let Platform {
            architecture,
            system,
        } = platform(builds)?;
        let bundle = Bundle {
            schema: SCHEMA,
            tourbillon: env!("CARGO_PKG_VERSION").to_owned(),
            architecture: architecture.to_owned(),
            system: system.to_owned(),
            builds: bundled,
        };
        bundle.check().map_err(|what| {
            Error::Environment(format!("the builds cannot be bundled: the manifest {what}"))
        })?;
        let written = packer.write(&bundle, path);
        written
            .map_err(|error| Error::Environment(format!("{path:?} cannot be written: {error}")))?;
        Ok(bundle)
    }
}

/// What all executables are for.
fn platform(builds: &[Build]) -> Result<Platform> {
    let executables = builds.iter().flat_map(|build| &build.executables);
    let mut platforms = executables.map(|executable| platform_of(&executable.path));
    let first = platforms.next().unwrap_or(Platform::OWN);
    if platforms.all(|platform| platform == first) {
        return Ok(first);
    }
    let what = "the builds are for different machines; a bundle is for one kind of them";
    Err(Error::Usage(what.to_owned()))
}

impl Packer {
    fn build(&mut self, build: &Build) -> Result<BundledBuild> {
        let mut bundled = BundledBuild {
            build: build.moved(Path::new(""), &build.label),
            files: Vec::new(),
        };
        bundled.build.hold = None;
        let checkout = checkout_of_all(&build.homes());
        for (number, executable) in build.executables.iter().enumerate() {
            let cannot = |error: io::Error| {
                let path = &executable.path;
                Error::Environment(format!("{path:?} cannot be bundled: {error}"))
            };
            let folder = if executable.programs.is_empty() {
                number.to_string()
            } else {
                format!("{number}/{DEPS}")
            };
            for program in executable.programs() {
                let name = program.file_name().unwrap_or_default().to_string_lossy();
                let within = format!("{number}/{name}");
                let packed = self.file(&within, Source::File(program)).map_err(cannot)?;
                bundled.files.push(packed);
            }
            let within = format!("{folder}/{}", executable.target);
            let source = Source::File(executable.path.clone());
            let packed = self.file(&within, source).map_err(cannot)?;
            bundled.files.push(packed);
            let libraries = self.libraries(executable, &folder).map_err(cannot)?;
            bundled.files.extend(libraries);
            let objects = self.objects(executable, &folder).map_err(cannot)?;
            bundled.files.extend(objects);
            let own = &mut bundled.build.executables[number];
            own.path = PathBuf::from(within);
            let home = executable.home.as_deref().zip(checkout.as_deref());
            own.home = home.and_then(|(home, checkout)| from_checkout(home, checkout));
            // That of the folder that it is unpacked to.
            own.fingerprint = String::new();
        }
        Ok(bundled)
    }

    /// The shared libraries that were built with an executable.
    fn libraries(&mut self, executable: &Executable, folder: &str) -> io::Result<Vec<BundledFile>> {
        let mut files = Vec::new();
        for path in executable
            .libraries()
            .iter()
            .flat_map(fs::read_dir)
            .flatten()
        {
            let path = path?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let within = format!("{folder}/{LIBRARIES}/{name}");
            files.push(self.file(&within, Source::File(path))?);
        }
        Ok(files)
    }

    /// What an executable is linked from; nothing if that was not kept.
    fn objects(&mut self, executable: &Executable, folder: &str) -> io::Result<Vec<BundledFile>> {
        let kept = executable.path.with_file_name(OBJECTS);
        let mut files = Vec::new();
        let Ok(text) = regular_file::read(&kept.join(LINE), DESCRIPTION_BYTES) else {
            return Ok(files);
        };
        let mut line: LinkLine = serde_json::from_slice(&text)?;
        for (position, word) in line.words.iter_mut().enumerate() {
            let (name, path) = match word {
                Word::Input(name) => (name.clone(), kept.join(&*name)),
                Word::Plain(text) if Path::new(text).is_absolute() => {
                    let path = PathBuf::from(&*text);
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    (format!("{position}-{name}"), path)
                }
                Word::Plain(_) | Word::Output | Word::OutputAfter(_) => continue,
            };
            if path.is_file() {
                let within = format!("{folder}/{OBJECTS}/{name}");
                files.push(self.file(&within, Source::File(path))?);
                *word = Word::Input(name);
            }
        }
        // Folders of this machine.
        line.environment.retain(|(name, _)| name != PATH);
        line.folder = None;
        line.shared = SharedFolders::default();
        let line = Source::Bytes(serde_json::to_vec(&line)?);
        files.push(self.file(&format!("{folder}/{OBJECTS}/{LINE}"), line)?);
        Ok(files)
    }

    fn file(&mut self, within: &str, source: Source) -> io::Result<BundledFile> {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(source.open()?)?;
        let (hash, bytes) = (hasher.finalize().to_hex().to_string(), hasher.count());
        self.sources.entry(hash.clone()).or_insert(source);
        Ok(BundledFile {
            path: within.to_owned(),
            hash,
            bytes,
        })
    }

    /// Whatever interrupts this, there is no half bundle of that name.
    fn write(&self, bundle: &Bundle, path: &Path) -> io::Result<()> {
        let unwinding = Unwinding::begin();
        let mut draft = Draft::new(path)?;
        let mut writer = Writer::begin(draft.file().try_clone()?, bundle)?;
        for file in bundle.contents() {
            writer.file(file, self.sources[&file.hash].open()?)?;
            unwinding.check();
        }
        writer.finish()?;
        draft.replace(path)
    }
}

/// The folder of a package within a checkout; `None` where it is not in it.
fn from_checkout(home: &Path, checkout: &Path) -> Option<PathBuf> {
    let home = fs::canonicalize(home).ok()?;
    let within = home.strip_prefix(checkout).ok()?;
    let names: Vec<&str> = within
        .iter()
        .map(|name| name.to_str())
        .collect::<Option<_>>()?;
    Some(PathBuf::from(names.join("/")))
}
