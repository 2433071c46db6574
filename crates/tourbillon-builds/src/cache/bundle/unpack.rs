//! From a bundle to builds in the cache.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tourbillon_values::limits::DESCRIPTION_BYTES;
use tourbillon_values::regular_file;

use super::archive::{Receiver, read, read_tar, unreadable};
use super::manifest::{Bundle, BundledBuild, BundledFile};
use crate::cache::Cache;
use crate::cache::build::{Build, fingerprint};
use crate::cache::lock::{Lock, Unfinished};
use crate::cache::programs::around;
use crate::cache::room::remove_unusable;
use crate::error::{Error, Result, refused};
use crate::key::Digest;
use crate::source::commits::checkout_root;

/// The file among the builds that is locked while a bundle is unpacked.
const LOCK: &str = "bundle.lock";

impl Bundle {
    /// Reads a bundle whole and checks it. Nothing of it is written or started.
    ///
    /// # Errors
    ///
    /// When the file is not a bundle, or damaged.
    pub fn read(path: &Path) -> Result<Bundle> {
        read(path, &mut Checker { path })
    }

    /// Whether a file begins as a bundle does.
    pub fn begins(path: &Path) -> bool {
        read(path, &mut First).is_ok()
    }

    /// [`Bundle::read`] of the contents of a bundle, not compressed. `path` is for messages.
    ///
    /// # Errors
    ///
    /// As for [`Bundle::read`].
    pub fn read_tar(path: &Path, contents: impl Read) -> Result<Bundle> {
        read_tar(path, contents, &mut Checker { path })
    }
}

/// Takes the manifest alone.
struct First;

impl Receiver for First {
    fn begin(&mut self, _: &Bundle) -> Result<bool> {
        Ok(false)
    }

    fn file(&mut self, _: &BundledFile, _: &mut dyn Read) -> Result<()> {
        Ok(())
    }
}

impl Cache {
    /// The builds of a bundle, unpacked into the cache unless they are there. Their packages are looked for in the
    /// checkout around the current folder. With `relink`, checks that executables can be relinked.
    ///
    /// # Errors
    ///
    /// When the file is not a bundle, damaged, or from another kind of machine, and when the cache cannot be
    /// written.
    pub fn unpack(&self, path: &Path, relink: bool) -> Result<Vec<Build>> {
        self.unpack_by(path, relink, |unpacker| read(path, unpacker))
    }

    /// The same with a reader for the bundle.
    pub(super) fn unpack_by(
        &self,
        path: &Path,
        relink: bool,
        read: impl FnOnce(&mut Unpacker<'_>) -> Result<Bundle>,
    ) -> Result<Vec<Build>> {
        let mut unpacker = Unpacker {
            cache: self,
            path,
            builds: Vec::new(),
            staging: None,
            alone: None,
        };
        let bundle = read(&mut unpacker)?;
        unpacker.finish(&bundle)?;
        let folder = env::current_dir().unwrap_or_default();
        let checkout = checkout_root(&folder).unwrap_or(folder);
        let mut builds = Vec::new();
        for bundled in &bundle.builds {
            let folder = self.builds().join(key(bundled)?);
            let Some(mut build) = Build::read(&folder, relink, self.log)? else {
                return Err(removed(&folder));
            };
            for executable in &mut build.executables {
                if let Some(within) = executable.home.take() {
                    // As cargo writes it: without a slash at its end where it is the whole checkout.
                    let home: PathBuf = checkout.join(within).components().collect();
                    executable.home = home.is_dir().then_some(home);
                }
            }
            builds.push(build);
        }
        Ok(builds)
    }
}

/// Compares contents with their hash.
struct Checker<'p> {
    path: &'p Path,
}

impl Receiver for Checker<'_> {
    fn begin(&mut self, _bundle: &Bundle) -> Result<bool> {
        Ok(true)
    }

    fn file(&mut self, file: &BundledFile, contents: &mut dyn Read) -> Result<()> {
        copy(self.path, file, contents, &mut io::sink(), Path::new(""))
    }
}

/// Unpacks builds.
pub(super) struct Unpacker<'c> {
    cache: &'c Cache,
    /// The bundle.
    path: &'c Path,
    /// The builds that are not in the cache yet: their indices.
    builds: Vec<usize>,
    /// Their files, named by their hashes.
    staging: Option<Unfinished>,
    /// Held while they are unpacked.
    alone: Option<Lock>,
}

impl Receiver for Unpacker<'_> {
    fn begin(&mut self, bundle: &Bundle) -> Result<bool> {
        let of = (bundle.architecture.as_str(), bundle.system.as_str());
        if of != (env::consts::ARCH, env::consts::OS) {
            let (path, own) = (self.path, (env::consts::ARCH, env::consts::OS));
            return Err(Error::Environment(format!(
                "{path:?} is for {} on {}, and this machine has {} on {}",
                of.1, of.0, own.1, own.0
            )));
        }
        if self.missing(bundle)?.is_empty() {
            return Ok(false);
        }
        // Several programs may be started with one bundle.
        let builds = self.cache.builds();
        let lock = Lock::wait(
            &builds.join(LOCK),
            "is building what this bundle has",
            self.cache.log,
        )?;
        self.alone = Some(lock);
        self.builds = self.missing(bundle)?;
        if !self.builds.is_empty() {
            self.staging = Some(Unfinished::new(&builds, "bundle")?);
        }
        Ok(!self.builds.is_empty())
    }

    fn file(&mut self, file: &BundledFile, contents: &mut dyn Read) -> Result<()> {
        let Some(staging) = &self.staging else {
            return Ok(());
        };
        let to = staging.path().join(&file.hash);
        let mut written = File::create_new(&to).map_err(|error| refused(&to, "written", &error))?;
        copy(self.path, file, contents, &mut written, &to)
    }
}

impl Unpacker<'_> {
    /// The builds that are not in the cache, or damaged there: their indices.
    fn missing(&self, bundle: &Bundle) -> Result<Vec<usize>> {
        let mut missing = Vec::new();
        for (number, bundled) in bundle.builds.iter().enumerate() {
            let folder = self.cache.builds().join(key(bundled)?);
            let build = Build::read(&folder, false, self.cache.log)?;
            if build.is_none_or(|build| build.damaged().is_some()) {
                missing.push(number);
            }
        }
        Ok(missing)
    }

    /// Makes builds of the files.
    fn finish(self, bundle: &Bundle) -> Result<()> {
        let Some(staging) = &self.staging else {
            return Ok(());
        };
        for number in &self.builds {
            let bundled = &bundle.builds[*number];
            self.check_lines(bundled, staging.path())?;
            let key = key(bundled)?;
            let unfinished = Unfinished::new(&self.cache.builds(), &key)?;
            bundled.assemble(staging.path(), unfinished.path())?;
            let folder = self.cache.builds().join(&key);
            remove_unusable(&folder)?;
            unfinished.finish(&folder)?;
        }
        Ok(())
    }

    /// Checks that no link line reads a file of another folder.
    fn check_lines(&self, bundled: &BundledBuild, staging: &Path) -> Result<()> {
        for file in bundled.files.iter().filter(|file| file.is_line()) {
            let line = regular_file::read(&staging.join(&file.hash), DESCRIPTION_BYTES)
                .map_err(|error| refused(staging, "read", &error))?;
            let checked = serde_json::from_slice(&line)
                .map_err(|_| format!("has a link line that cannot be read: {:?}", file.path))
                .and_then(|line| bundled.check_line(file, &line));
            checked.map_err(|what| unreadable(self.path, &format!("its manifest {what}")))?;
        }
        Ok(())
    }
}

impl BundledBuild {
    /// Puts the files into a folder, with a description of the build.
    fn assemble(&self, staging: &Path, folder: &Path) -> Result<()> {
        let mut executables: BTreeSet<PathBuf> = BTreeSet::new();
        for executable in &self.build.executables {
            executables.insert(executable.path.clone());
            executables.extend(executable.programs());
        }
        for file in &self.files {
            let (from, to) = (staging.join(&file.hash), folder.join(&file.path));
            let is_executable = executables.contains(Path::new(&file.path));
            place(&from, &to, is_executable).map_err(|error| refused(&to, "written", &error))?;
        }
        let mut build = self.build.clone();
        folder.clone_into(&mut build.folder);
        for executable in &mut build.executables {
            executable.path = folder.join(&executable.path);
            let own = around(&executable.path);
            executable.fingerprint =
                fingerprint(own).map_err(|error| refused(own, "read", &error))?;
        }
        build.write()
    }
}

/// Puts a file in its place. Only executables are files of their own: nothing writes to the others.
fn place(from: &Path, to: &Path, is_executable: bool) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    if is_executable {
        regular_file::copy(from, to)?;
    } else if fs::hard_link(from, to).is_err() {
        regular_file::copy(from, to)?;
        // Many file systems limit the names of a file, ext4 to 65 000: the copy has the next ones.
        let next = from.with_extension("next");
        if fs::hard_link(to, &next).is_ok() {
            fs::rename(&next, from)?;
        }
    }
    #[cfg(unix)]
    if is_executable {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(to, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// Copies contents and compares them with their hash.
fn copy(
    bundle: &Path,
    file: &BundledFile,
    contents: &mut dyn Read,
    to: &mut dyn Write,
    name: &Path,
) -> Result<()> {
    let damaged = |what: &dyn std::fmt::Display| {
        let what = format!("it is damaged: {what} in {:?}", file.path);
        unreadable(bundle, &what)
    };
    let (mut hasher, mut buffer) = (blake3::Hasher::new(), vec![0; 1 << 16]);
    loop {
        let count = contents
            .read(&mut buffer)
            .map_err(|error| damaged(&error))?;
        if count == 0 {
            break;
        }
        hasher.update(&buffer[..count]);
        to.write_all(&buffer[..count])
            .map_err(|error| refused(name, "written", &error))?;
    }
    if hasher.finalize().to_hex().as_str() == file.hash {
        Ok(())
    } else {
        Err(damaged(&"wrong bytes"))
    }
}

/// The folder of an unpacked build: the same for the same contents and label.
fn key(bundled: &BundledBuild) -> Result<String> {
    let json = serde_json::to_vec(bundled)
        .map_err(|error| Error::Environment(format!("the manifest cannot be read: {error}")))?;
    Ok(Digest::default().part("bundle").part(json).key())
}

fn removed(folder: &Path) -> Error {
    Error::Environment(format!("{folder:?} was removed meanwhile; try again"))
}
