//! Which benchmarks a suite has.

use tourbillon_os::Ending;
use tourbillon_report::escape;

use super::discovery::{Discovered, FailedTarget};

/// The benchmarks of a suite, as a discoverer found them.
pub(super) struct Inventory {
    pub(super) benchmarks: Vec<Discovered>,
    pub(super) failed: Vec<FailedTarget>,
    pub(super) ending: Ending,
    /// Whether the process has ended in a launch.
    pub(super) ended_in_launch: bool,
    /// Whether every benchmark that the suite came to was run once, in workers too: later parts may need that.
    pub(super) rehearses: bool,
}

impl Inventory {
    /// Whether it may lack benchmarks.
    pub(super) fn has_failed(&self) -> bool {
        !self.failed.is_empty() || self.ending != Ending::Exited(0) || self.ended_in_launch
    }

    /// What keeps benchmarks from being known.
    pub(super) fn troubles(&self) -> Vec<String> {
        let failed = self.failed.iter().map(|failed| {
            let (target, why) = (escape(&failed.target, true), escape(&failed.why, true));
            format!("{target} failed outside of its benchmarks: {why}")
        });
        let mut troubles: Vec<String> = failed.collect();
        if self.ending != Ending::Exited(0) {
            troubles.push(format!(
                "the suite ended early ({}) while its benchmarks were listed; those before are measured",
                self.ending
            ));
        }
        troubles
    }
}
