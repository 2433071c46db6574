//! A folder that is being filled.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::cache::{Cache, refused};
use super::lock::Lock;
use super::record::USED;
use crate::Stop;

/// How the name of such a folder begins.
pub(super) const UNFINISHED: &str = "unfinished-";

/// A folder among the builds that becomes one when it is whole, and goes when it does not. What a
/// program leaves behind that is killed meanwhile is told from what is in the making by the lock that
/// is held on it.
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

    /// Gives it the name by which it is found, after everything in it has reached the disk: a machine
    /// that loses its power would leave empty files under that name.
    pub fn finish(mut self, folder: &Path) -> Result<(), Stop> {
        sync(&self.path).map_err(|error| refused(&self.path, "written", &error))?;
        if cfg!(windows) {
            // There, a folder with open files stays where it is.
            self.hold = None;
        }
        fs::rename(&self.path, folder).map_err(|error| refused(folder, "written", &error))
    }
}

/// Has the files in a folder written to the disk.
fn sync(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => sync(&path)?,
            false => File::open(&path)?.sync_all()?,
        }
    }
    // A folder is a file of names on Unix.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Where it was finished, nothing has this name any more.
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
