//! Running the program in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{Ran, command};

/// Runs `cargo tourbillon` in a folder.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Ran {
    let mut command = command(&[&["tourbillon"], arguments].concat());
    command.env_remove("TOURBILLON_STORE").current_dir(folder);
    command.output().expect("the program starts").into()
}

/// A folder of its own for one test, removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("subcommand-{test}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }
}

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
