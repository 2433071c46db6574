//! A bench target that was built.

use std::fs;
use std::path::{Path, PathBuf};

use tourbillon_runner::WORKER_ARGUMENT;

/// An executable, and where cargo would run it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    pub name: String,
    /// The name of its package.
    pub package: String,
    /// The package as cargo's `-p` takes it.
    pub specification: String,
    pub executable: PathBuf,
    /// The folder of its package.
    pub folder: PathBuf,
}

/// What a target is to this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It can be a worker of ours.
    Ours,
    /// It has benchmarks of ours, but the built-in harness runs them: nothing would be measured.
    Forgotten,
    /// It has nothing to do with us.
    Foreign,
}

/// What the attribute leaves in a target of the built-in harness: the end of a test's name.
const FORGOTTEN: &str = "_needs_harness_false";

/// What an executable is, by what is in the file: starting it to ask would run whatever it is.
pub fn kind(executable: &Path) -> Kind {
    let bytes = fs::read(executable).unwrap_or_default();
    let has = |magic: &str| {
        let magic = magic.as_bytes();
        bytes.windows(magic.len()).any(|window| window == magic)
    };
    if has(WORKER_ARGUMENT) {
        Kind::Ours
    } else if has(FORGOTTEN) {
        Kind::Forgotten
    } else {
        Kind::Foreign
    }
}

impl Target {
    /// What is to be said of a target that would measure nothing.
    pub fn forgotten(&self) -> String {
        format!(
            "the bench target {} would measure nothing; write `harness = false` in its [[bench]] \
             section of {:?}, and let its main call tourbillon::main()",
            self.name,
            self.folder.join("Cargo.toml")
        )
    }
}
