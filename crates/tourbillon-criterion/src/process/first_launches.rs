//! Launches by the process that lists the benchmarks: a set-up that takes long is not executed once more for them.

use tourbillon_coordinator::output::Console;
use tourbillon_coordinator::run::{Beginning, Home};
use tourbillon_coordinator::runner::SentLaunch;
use tourbillon_record::Plan;

use super::discovery::Discovered;
use super::shared_worker::{SharedWorker, launches, options};
use crate::flags::Flags;

/// Set-up from which on the process that lists a benchmark makes its pilot launch, in nanoseconds. Below it, a launch among
/// others in random order is worth more than the time.
pub(super) const WORTH_NS: u64 = 1_000_000_000;

/// The pilot launches that the process makes that lists the benchmarks.
pub(super) struct FirstLaunches<'a> {
    flags: &'a Flags,
    home: &'a Home,
    console: &'a mut Console,
    /// What the run has begun with, because of a launch.
    pub(super) beginning: Option<Beginning>,
}

impl<'a> FirstLaunches<'a> {
    pub(super) fn new(flags: &'a Flags, home: &'a Home, console: &'a mut Console) -> Self {
        FirstLaunches {
            flags,
            home,
            console,
            beginning: None,
        }
    }

    /// Whether there may be any. Output of benchmarks is kept away, on Unix alone; shards, comparisons and pinned workers are
    /// known later.
    pub(super) fn may_be_made(&self) -> bool {
        let high = &self.flags.high;
        cfg!(all(unix, not(miri)))
            && !high.no_capture
            && self.flags.load.is_none()
            && high.against.is_none()
            && high.selection.partition().is_none()
            && !Beginning::pins(high)
    }

    /// The plan of the launch of a benchmark; `None` if it is not made now.
    pub(super) fn plan(&mut self, found: &Discovered) -> Option<Plan> {
        // A benchmark without results may end the run before anything is measured.
        if found.baselines.is_strict {
            return None;
        }
        let high = &self.flags.high;
        if self.beginning.is_none() {
            // What is wrong ends the run later.
            self.beginning = Beginning::new(self.home, high, self.console).ok();
        }
        let shared_worker = SharedWorker {
            group: 0,
            launches: launches(&[found], found.setup_ns, high.options.max_time_ns),
        };
        let options = options(found, Some(shared_worker), None);
        let begun = self.beginning.as_ref()?;
        Some(begun.pilot_plan(high, &found.id, &options))
    }

    /// The silence of a launch that counts as a hang.
    pub(super) fn timeout_ns(&self, found: &Discovered) -> u64 {
        let requested_ns = self.flags.high.options.timeout_ns;
        options(found, None, requested_ns).timeout_ns.unwrap_or(0)
    }

    /// Takes a launch.
    pub(super) fn take(&mut self, sent: SentLaunch) {
        if let Some(begun) = &mut self.beginning {
            begun.take(sent);
        }
    }

    /// Forgets the launches: their process has failed. False if there was none.
    pub(super) fn forget(&mut self) -> bool {
        match &mut self.beginning {
            Some(begun) => {
                begun.forget();
                true
            }
            None => false,
        }
    }
}
