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

/// Writes an executable script with another process: a process that this one starts meanwhile would
/// inherit the open file, which cannot be executed then.
#[cfg(unix)]
pub(crate) fn script(path: &Path, text: &str) {
    let draft = path.with_extension("draft");
    fs::write(&draft, text).expect("a file");
    let mut install = std::process::Command::new("install");
    let status = install.args(["-m", "755"]).arg(&draft).arg(path).status();
    assert!(status.expect("install starts").success());
}

/// A folder for one test, removed at the end.
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
