//! The `Cargo.lock` of the user's checkout, which stays as it is.

use std::fs;
use std::path::{Path, PathBuf};

/// What a `Cargo.lock` was before cargo built in the user's checkout. Cargo writes one where there is
/// none, and completes one that the manifests have outgrown; no flag has it build without writing.
/// When this is dropped, the file is again what it was.
#[derive(Debug)]
pub(super) struct UsersLock {
    file: PathBuf,
    before: Option<Vec<u8>>,
}

impl UsersLock {
    /// That of the workspace in a folder.
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
        // What cannot be written or removed is what `cargo bench` would have left, too.
        let _ = match &self.before {
            Some(bytes) => fs::write(&self.file, bytes),
            None => fs::remove_file(&self.file),
        };
    }
}
