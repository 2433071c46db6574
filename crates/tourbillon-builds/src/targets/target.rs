//! A bench target that was built.

use std::fs;
use std::path::{Path, PathBuf};

use tourbillon_runner::WORKER_ARGUMENT;

/// An executable and its package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    pub name: String,
    /// The name of its package.
    pub package: String,
    /// The package as cargo's `-p` takes it.
    pub specification: String,
    pub executable: PathBuf,
    /// The folder of its package, in which cargo would run it.
    pub folder: PathBuf,
}

/// What a target is to this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It can run as a worker.
    Ours,
    /// It has our benchmarks but uses the built-in harness, which would measure nothing.
    Forgotten,
    /// It does not use tourbillon.
    Foreign,
}

/// Suffix of the test that the attribute adds to a target of the built-in harness.
const FORGOTTEN: &str = "_needs_harness_false";

/// The kind of an executable, by strings in its file: starting it could do anything.
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
    /// Message about a target that would measure nothing.
    pub fn forgotten(&self) -> String {
        format!(
            "the bench target {} would measure nothing; write `harness = false` in its [[bench]] \
             section of {:?}, and call tourbillon::main() in its main",
            self.name,
            self.folder.join("Cargo.toml")
        )
    }
}
