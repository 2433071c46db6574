//! Files that get their name when they are complete.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions};
use std::hash::BuildHasher;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// How many names are tried. Two of 64 random bits are never the same.
const ATTEMPTS: u64 = 8;

/// A file that replaces another one when it is complete, and is removed when it is not.
///
/// It is new, whatever stands at the name that it gets later: neither a link there nor one at its own name, which no
/// other process can guess, is followed.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    file: File,
}

impl Draft {
    /// An empty file in the folder of `target`.
    ///
    /// # Errors
    ///
    /// When it cannot be created.
    pub fn new(target: &Path) -> io::Result<Draft> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mut taken = io::Error::from(ErrorKind::AlreadyExists);
        for attempt in 0..ATTEMPTS {
            // The keys of its hash are random bits of the system.
            let number = RandomState::new().hash_one(attempt);
            let path = target.with_file_name(format!(".{number:016x}.part"));
            match options.open(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => taken = error,
                opened => {
                    let file = opened?;
                    return Ok(Draft { path, file });
                }
            }
        }
        Err(taken)
    }

    /// The file, open for writing.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives it the name of `target`, in place of the file of that name.
    ///
    /// # Errors
    ///
    /// When there is a folder of that name, for example. Then the draft is removed.
    pub fn replace(self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)
    }

    /// Writes a whole file in one step: readers see all of it, or the one before it.
    ///
    /// # Errors
    ///
    /// When it cannot be written. Then the file before it is unchanged.
    pub fn write(target: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
        let mut draft = Draft::new(target)?;
        draft.file().write_all(content.as_ref())?;
        draft.replace(target)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After it was renamed, no file has this name.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let number = RandomState::new().hash_one(name);
            let folder = std::env::temp_dir().join(format!("tourbillon-draft-{number:x}"));
            fs::create_dir(&folder).unwrap();
            Folder(folder)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = Folder::new("whole");
        let target = folder.0.join("a");
        for content in ["one", "two"] {
            Draft::write(&target, content).unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), content);
        }
        assert_eq!(folder.names(), ["a"]);
    }

    #[test]
    fn what_is_not_complete_goes_away() {
        let folder = Folder::new("dropped");
        let target = folder.0.join("a");
        let (one, other) = (Draft::new(&target).unwrap(), Draft::new(&target).unwrap());
        assert_ne!(one.path, other.path);
        assert_eq!(folder.names().len(), 2);
        drop((one, other));
        fs::create_dir_all(target.join("full")).unwrap();
        assert!(Draft::write(&target, "x").is_err());
        assert_eq!(folder.names(), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_replaced_and_not_followed() {
        let folder = Folder::new("link");
        let precious = folder.0.join("precious");
        fs::write(&precious, "precious").unwrap();
        for (name, to) in [("a", "precious"), ("b", "missing")] {
            let target = folder.0.join(name);
            std::os::unix::fs::symlink(folder.0.join(to), &target).unwrap();
            Draft::write(&target, "new").unwrap();
            assert!(!target.is_symlink());
        }
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
        assert_eq!(folder.names(), ["a", "b", "precious"]);
    }
}
