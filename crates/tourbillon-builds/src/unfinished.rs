//! A build folder that is being filled.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::cache::{Cache, refused};
use super::lock::Lock;
use super::record::USED;
use crate::Stop;

/// Prefix of the names of such folders.
pub(super) const UNFINISHED: &str = "unfinished-";

/// A folder among the builds that is renamed when it is complete and removed when it is not. The
/// lock on it distinguishes it from what a killed program left.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    hold: Option<Lock>,
}

impl Unfinished {
    pub fn new(cache: &Cache, name: &str) -> Result<Unfinished, Stop> {
        let name = format!("{UNFINISHED}{}-{name}", std::process::id());
        let path = cache.builds().join(name);
        let hold = Lock::share(&path.join(USED))?;
        Ok(Unfinished { path, hold })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the folder after its files have reached the disk: after a power loss, the name would
    /// hold empty files otherwise.
    pub fn finish(mut self, folder: &Path) -> Result<(), Stop> {
        sync(&self.path).map_err(|error| refused(&self.path, "written", &error))?;
        if cfg!(windows) {
            // Windows does not rename a folder with open files.
            self.hold = None;
        }
        fs::rename(&self.path, folder).map_err(|error| refused(folder, "written", &error))
    }
}

/// Writes the files of a folder to the disk.
fn sync(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => sync(&path)?,
            false => File::open(&path)?.sync_all()?,
        }
    }
    // On Unix, a folder is synced like a file.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // A finished folder no longer has this name.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finished_goes() {
        let root = std::env::temp_dir().join(format!("tourbillon-half-{}", std::process::id()));
        let cache = Cache::at(root.clone());
        let half = Unfinished::new(&cache, "a").expect("a folder");
        let path = half.path().to_owned();
        assert!(path.is_dir());
        assert!(Lock::alone(&path.join(USED)).is_none(), "it is held");
        drop(half);
        assert!(!path.exists());
        let whole = Unfinished::new(&cache, "a").expect("a folder");
        whole.finish(&root.join("b")).expect("a folder");
        assert!(!path.exists() && root.join("b").is_dir());
        let _ = fs::remove_dir_all(&root);
    }
}
