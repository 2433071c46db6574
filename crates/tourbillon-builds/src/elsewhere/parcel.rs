//! What is sent to another machine in one tar file, and what comes back in one.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use tar::{Archive, Builder, EntryType, Header};
use tempfile::TempDir;
use tourbillon_values::limits::RECORD_BYTES;
use tourbillon_values::regular_file;

use crate::cache::build::Build;
use crate::cache::bundle::Bundle;
use crate::elsewhere::package_files::PackageFiles;
use crate::error::{Error, Result, refused};

/// Where it is unpacked.
const PLACE: &str = "/tmp";
/// Modes: for the user alone.
const FILE: u32 = 0o600;
const PROGRAM: u32 = 0o700;
/// How records end.
const RECORD: &str = ".jsonl";
/// Most bytes of another file that comes back.
const OTHER_BYTES: u64 = 1 << 10;

/// A folder with files for another machine.
#[derive(Debug)]
pub struct Parcel {
    /// A name that no other user of that machine can guess.
    name: String,
    /// Files that are made for it.
    own: TempDir,
    /// By their names in it.
    files: Vec<(PathBuf, PathBuf, u32)>,
    texts: Vec<(&'static str, Vec<u8>)>,
}

impl Parcel {
    /// Most bytes of the files of a package that are sent.
    pub const PACKAGE_BYTES: u64 = 1 << 26;

    /// An empty one.
    ///
    /// # Errors
    ///
    /// When there is no folder for what is made for it.
    pub fn new() -> Result<Parcel> {
        let own = tempfile::tempdir().map_err(|error| {
            Error::Environment(format!("no temporary folder can be made: {error}"))
        })?;
        // Each state has keys of its own from the system.
        let random = || RandomState::new().hash_one(0);
        Ok(Parcel {
            name: format!("tourbillon-{:016x}{:016x}", random(), random()),
            own,
            files: Vec::new(),
            texts: Vec::new(),
        })
    }

    /// Where it is on the other machine.
    #[must_use]
    pub fn folder(&self) -> String {
        format!("{PLACE}/{}", self.name)
    }

    /// The folder in which `tar` has to unpack it.
    #[must_use]
    pub fn place(&self) -> &'static str {
        PLACE
    }

    /// Adds a bundle of builds.
    ///
    /// # Errors
    ///
    /// Those of [`Bundle::write`].
    pub fn add_builds(&mut self, name: &str, builds: &[Build]) -> Result<Bundle> {
        let path = self.own.path().join(name);
        let bundle = Bundle::write(builds, &path)?;
        self.add_file(name, &path);
        Ok(bundle)
    }

    /// Adds a file of this machine.
    pub fn add_file(&mut self, name: &str, path: &Path) {
        self.files.push((name.into(), path.to_owned(), FILE));
    }

    /// Adds a program.
    pub fn add_program(&mut self, name: &str, path: &Path) {
        self.files.push((name.into(), path.to_owned(), PROGRAM));
    }

    /// Adds the files of the packages of a build to a folder, with their places in the checkout; gives the folders of
    /// packages with more than [`PACKAGE_BYTES`](Parcel::PACKAGE_BYTES), of which nothing is sent.
    pub fn add_packages(&mut self, folder: &str, build: &Build) -> Vec<PathBuf> {
        let found = PackageFiles::of(&build.homes(), Parcel::PACKAGE_BYTES);
        for (within, (path, is_program)) in found.files {
            let mode = if is_program { PROGRAM } else { FILE };
            self.files
                .push((Path::new(folder).join(within), path, mode));
        }
        found.too_large
    }

    /// Adds a file with this text.
    pub fn add_text(&mut self, name: &'static str, text: Vec<u8>) {
        self.texts.push((name, text));
    }

    /// All of it as a tar file without a name, to be read from its beginning.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or written.
    pub fn packed(&self) -> Result<File> {
        let mut packed =
            tempfile::tempfile().map_err(|error| refused(self.own.path(), "written", &error))?;
        self.pack(&packed)
            .and_then(|()| packed.rewind())
            .map_err(|error| {
                Error::Environment(format!("what is sent cannot be packed: {error}"))
            })?;
        Ok(packed)
    }

    fn pack(&self, packed: &File) -> io::Result<()> {
        let mut tar = Builder::new(BufWriter::new(packed));
        let mut folder = header(EntryType::Directory, PROGRAM, 0);
        tar.append_data(&mut folder, format!("{}/", self.name), io::empty())?;
        for (name, path, mode) in &self.files {
            let file = regular_file::open(path)?;
            let bytes = file.metadata()?.len();
            let mut entry = header(EntryType::Regular, *mode, bytes);
            let name = Path::new(&self.name).join(name);
            // One that became shorter meanwhile has zeros at its end.
            tar.append_data(&mut entry, name, file.chain(io::repeat(0)).take(bytes))?;
        }
        for (name, text) in &self.texts {
            let mut entry = header(EntryType::Regular, FILE, text.len() as u64);
            tar.append_data(&mut entry, format!("{}/{name}", self.name), text.as_slice())?;
        }
        tar.into_inner()?.flush()
    }
}

fn header(entry_type: EntryType, mode: u32, bytes: u64) -> Header {
    let mut header = Header::new_ustar();
    header.set_entry_type(entry_type);
    header.set_mode(mode);
    header.set_mtime(0);
    header.set_size(bytes);
    header
}

/// Whether a file that came from another machine is a record, by its path there.
#[must_use]
pub fn is_record(path: &str) -> bool {
    path.ends_with(RECORD)
}

/// The files in a tar file that came from another machine: their paths there, which name no place here, and their bytes.
/// Of files that are no records only the first bytes; links and other entries are skipped.
///
/// # Errors
///
/// When it is damaged.
pub fn received(tar: &[u8]) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in Archive::new(tar).entries()? {
        let mut entry = entry?;
        let path = entry.path()?.to_string_lossy().into_owned();
        if entry.header().entry_type() != EntryType::Regular {
            continue;
        }
        let longest = if is_record(&path) {
            RECORD_BYTES
        } else {
            OTHER_BYTES
        };
        let mut bytes = Vec::new();
        entry.by_ref().take(longest).read_to_end(&mut bytes)?;
        files.push((path, bytes));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_received() {
        let mut parcel = Parcel::new().expect("a folder");
        let other = Parcel::new().expect("a folder");
        assert!(parcel.folder().contains("/tourbillon-"));
        assert_ne!(parcel.folder(), other.folder());
        parcel.add_text("a.jsonl", b"one\n".to_vec());
        parcel.add_text("script", b"two\n".to_vec());
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        parcel.add_program("program", &own);
        let mut tar = Vec::new();
        parcel
            .packed()
            .expect("packed")
            .read_to_end(&mut tar)
            .expect("read");
        let name = parcel.folder().replace(&format!("{PLACE}/"), "");
        let mut entries = Vec::new();
        for entry in Archive::new(tar.as_slice()).entries().expect("entries") {
            let entry = entry.expect("an entry");
            let path = entry.path().expect("a path").to_string_lossy().into_owned();
            entries.push((path, entry.header().mode().expect("a mode")));
        }
        let expected = [
            ("", 0o700),
            ("program", 0o700),
            ("a.jsonl", 0o600),
            ("script", 0o600),
        ];
        assert_eq!(
            entries,
            expected.map(|(own, mode)| (format!("{name}/{own}"), mode))
        );
        let mut files = received(&tar).expect("files");
        files.retain(|(path, _)| !path.ends_with("program"));
        let expected = [("a.jsonl", "one\n"), ("script", "two\n")];
        let expected = expected.map(|(file, text)| (format!("{name}/{file}"), text.into()));
        assert_eq!(files, expected);
        parcel.add_file("gone", Path::new("/no/such/file"));
        assert!(parcel.packed().is_err());
    }

    #[test]
    fn links_and_damage_are_no_records() {
        let mut tar = Builder::new(Vec::new());
        let mut link = header(EntryType::Symlink, FILE, 0);
        tar.append_link(&mut link, "results/a.jsonl", "/etc/passwd")
            .expect("a link");
        let bytes = tar.into_inner().expect("a tar file");
        assert_eq!(received(&bytes).expect("none"), []);
        assert!(received(&[b'x'; 700]).is_err());
    }
}
