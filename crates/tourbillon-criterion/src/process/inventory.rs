//! Which benchmarks a suite has: a process of its own lists them.

use tourbillon_coordinator::output::Stop;
use tourbillon_os::Ending;
use tourbillon_report::escape;

use super::discovery::{Discovered, FailedTarget};
use super::first_launches::FirstLaunches;
use super::listing::discover;
use super::role::Discovery;

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
    /// Has a process list the benchmarks, and make launches of those whose set-up takes long.
    ///
    /// # Errors
    ///
    /// When the process cannot be started, or writes too much.
    pub(super) fn take(first: &mut FirstLaunches<'_>) -> Result<Inventory, Stop> {
        let launches = first.may_be_made();
        let plain = Discovery::default();
        let mut found = discover(Discovery { launches, ..plain }, first)?;
        // A launch may be what has ended it.
        if found.has_failed() && first.forget() {
            found = discover(plain, first)?;
        }
        if !found.has_failed() {
            return Ok(found);
        }
        // A later part of the suite may need what the benchmarks before it did.
        let rehearses = Discovery {
            rehearses: true,
            ..plain
        };
        let again = discover(rehearses, first)?;
        let is_better = again.benchmarks.len() > found.benchmarks.len() || !again.has_failed();
        Ok(if is_better { again } else { found })
    }

    fn has_failed(&self) -> bool {
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
