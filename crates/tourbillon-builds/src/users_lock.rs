//! Restores the `Cargo.lock` of the user's checkout.

use std::fs;
use std::path::{Path, PathBuf};

/// The `Cargo.lock` before cargo builds in the user's checkout, restored on drop. Cargo creates a
/// missing one and completes an outdated one; no flag makes it build without writing.
#[derive(Debug)]
pub(super) struct UsersLock {
    file: PathBuf,
    before: Option<Vec<u8>>,
}

impl UsersLock {
    /// The lock file of the workspace in a folder.
    pub(super) fn of(root: &Path) -> UsersLock {
        let file = root.join("Cargo.lock");
        let before = fs::read(&file).ok();
        UsersLock { file, before }
    }
}

impl Drop for UsersLock {
    fn drop(&mut self) {
        if fs::read(&self.file).ok() == self.before {
            return;
        }
        // On failure the file stays as `cargo bench` would have left it.
        let _ = match &self.before {
            Some(bytes) => fs::write(&self.file, bytes),
            None => fs::remove_file(&self.file),
        };
    }
}
