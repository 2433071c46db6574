//! The outcome of a run.

use tourbillon_analysis::Spread;
use tourbillon_record::{CaseResult, End, Fault, Verdict};

/// Exit code of a run in which a launch failed.
pub const EXIT_FAILED: u8 = 3;
/// Exit code of a run that a signal stopped.
pub const EXIT_INTERRUPTED: u8 = 130;

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The results, in the order of the cases; those of cycles after those of time.
    pub results: Vec<CaseResult>,
    /// How the launches of each case scatter, in the order of the cases; `None` for one without figures.
    pub spreads: Vec<Option<Spread>>,
    /// The launches that failed, in the order in which they did.
    pub faults: Vec<Fault>,
    /// The verdicts of comparisons.
    pub verdicts: Vec<Verdict>,
    /// The verdicts of assertions.
    pub assertions: Vec<Verdict>,
    /// Cases that were to be compared and are no duration, or another one than the reference.
    pub not_compared: Vec<String>,
    /// How the run ended.
    pub end: End,
    /// Whether a signal stopped it.
    pub interrupted: bool,
}
