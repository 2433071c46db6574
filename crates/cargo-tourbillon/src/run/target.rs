//! A bench target that was built.

use std::fs;
use std::path::PathBuf;

use tourbillon_coordinate::WORKER_ARGUMENT;

/// An executable, and where cargo would run it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Target {
    pub(super) name: String,
    pub(super) executable: PathBuf,
    /// The folder of its package.
    pub(super) folder: PathBuf,
}

/// What a target is to this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It can be a worker of ours.
    Ours,
    /// It has benchmarks of ours, but the built-in harness runs them: nothing would be measured.
    Forgotten,
    /// It has nothing to do with us.
    Foreign,
}

/// What the attribute leaves in a target of the built-in harness: the end of a test's name.
const FORGOTTEN: &str = "_needs_harness_false";

impl Target {
    /// What it is, by what is in the file: starting it to ask would run whatever it is.
    pub(super) fn kind(&self) -> Kind {
        let bytes = fs::read(&self.executable).unwrap_or_default();
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
}
