//! What happens while a tree is watched.

use std::path::PathBuf;

use tourbillon_present::Document;

/// What happens while a tree is watched.
#[derive(Debug)]
pub(super) enum Event {
    /// The reference is built, and files are watched.
    Begun {
        /// The label of the reference.
        reference: String,
        /// The root of the checkout.
        folder: PathBuf,
    },
    /// These files have new contents; the tree is built.
    Saved(Vec<PathBuf>),
    /// The tree cannot be built or compared: an exit code, and why, after what cargo has printed.
    Failed(u8, String),
    /// Cases are measured.
    Measuring(CaseCounts),
    /// A save ended the measuring.
    Outdated,
    /// These files changed while the tree was built and measured, and are no save: programs write them.
    Unheeded(Vec<PathBuf>),
    /// All verdicts.
    Compared(Box<Verdicts>),
}

/// How many cases there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CaseCounts {
    /// Those that are measured.
    pub(super) measured: usize,
    /// Those with the code of the reference.
    pub(super) unchanged: usize,
    /// Those with the code that their last verdict is about, which stays.
    pub(super) kept: usize,
}

/// The verdicts on a tree.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    /// For people.
    pub(super) document: Document,
    /// As lines of JSON.
    pub(super) lines: String,
    /// The command that measures longer.
    pub(super) confirm: String,
}
