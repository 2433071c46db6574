//! A case that is faster or slower, with both of its builds: what an explanation begins with.

use tourbillon_builds::{Build, Executable};
use tourbillon_present::Block;
use tourbillon_record::Verdict;
use tourbillon_report::Style;

/// A case that is faster or slower.
#[derive(Clone, Debug)]
pub struct Confirmed<'c> {
    /// As printed.
    pub name: String,
    /// Its identities in both builds, that of the reference first.
    pub ids: [&'c str; 2],
    /// Both builds.
    pub builds: [&'c Build; 2],
    /// Its programs.
    pub executables: [&'c Executable; 2],
    /// The verdict on its time.
    pub verdict: &'c Verdict,
    /// How both were compiled in other ways; `None` where they were compiled alike.
    pub built_otherwise: Option<String>,
}

/// Explains cases, in blocks of the document of a comparison.
pub type Explain = fn(&[Confirmed<'_>], &Style) -> Vec<Block>;
