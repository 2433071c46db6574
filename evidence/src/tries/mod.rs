//! Comparisons of functions whose ratio is known, tried many times: how often is the verdict right?
//!
//! Both sides of a try are the same machine code: one closure, called with another number of steps
//! where a change is injected. What differs is the work, and nothing else.

mod change;
mod work;

pub use change::Change;
pub use work::{Compared, WORKLOADS};

use std::time::Instant;

use tourbillon::Comparer;

/// What came of one comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Try {
    /// Name of the workload.
    pub workload: &'static str,
    /// What was changed in the second side.
    pub change: Change,
    /// `same`, `faster`, `slower` or `undecided`.
    pub finding: &'static str,
    /// Estimated ratio.
    pub ratio: Option<f64>,
    /// Pairs of batches.
    pub pairs: u64,
    /// Wall time of the comparison in seconds.
    pub seconds: f64,
}

impl Try {
    /// A line of values between tabs: condition, workload, change, finding, ratio, pairs, seconds.
    pub fn line(&self, condition: &str) -> String {
        let ratio = self
            .ratio
            .map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.6}"));
        format!(
            "{condition}\t{}\t{}\t{}\t{ratio}\t{}\t{:.4}",
            self.workload,
            self.change.name(),
            self.finding,
            self.pairs,
            self.seconds
        )
    }
}

/// Compares a workload with itself, `change` injected, at default settings.
pub(crate) fn compared<R>(
    workload: &'static str,
    change: Change,
    body: impl Fn(u64) -> R + Copy,
    steps: u64,
) -> Try {
    let comparer = Comparer::new().quiet();
    let start = Instant::now();
    let reference = change::steps(body, Change::None, steps);
    let candidate = change::steps(body, change, steps);
    let found = comparer.compare(("reference", reference), ("candidate", candidate));
    Try {
        workload,
        change,
        finding: found.finding().name(),
        ratio: found.ratio(),
        pairs: found.pairs(),
        seconds: start.elapsed().as_secs_f64(),
    }
}
