//! What a run reports to its caller, and what it asks of it.

use std::fmt;

use tourbillon_record::{ClockCheck, Entry, Fault, MachineEvents};

use crate::runner::settings::Settings;
use crate::runner::worker::SpawnWorker;

/// The clock of a run: this crate reads none itself.
pub trait RunClock {
    /// Nanoseconds since some moment before the run; never decreases.
    fn now_ns(&self) -> u64;

    /// The measuring clock compared with the system's clock since the start of the run; `None` where that is
    /// not done. Called once, after everything has been measured.
    fn check(&self) -> Option<ClockCheck> {
        None
    }

    /// What the machine did since the start of the run; `None` where that is unknown. Called once, after
    /// everything has been measured.
    fn machine_events(&self) -> Option<MachineEvents> {
        None
    }
}

/// Receives what happens in a run while it happens.
pub trait Observer {
    /// An entry of the record: the cases first, then launches and faults as they come, the results,
    /// and the end. The header is not among them; it is written before the run.
    fn entry(&mut self, entry: Entry<'_>);

    /// A launch is about to begin.
    fn progress(&mut self, _progress: &Progress<'_>) {}
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Launches made, failed ones included.
    pub done: usize,
    /// Launches in all, as far as is known by now: a body that does not fit into its budget gets
    /// fewer, a case that is looked at again gets more.
    pub total: usize,
    /// Launches that failed.
    pub faults: usize,
    /// Identity of the case whose launch is about to begin.
    pub case: &'a str,
    /// Number of its launch, from 0.
    pub launch: u32,
    /// Wall time since the start of the run in nanoseconds.
    pub elapsed_ns: u64,
}

/// What there is to work with after the last launch of a run.
pub struct PostRun<'a> {
    /// Settings of the run.
    pub settings: &'a Settings,
    /// Starts workers.
    pub spawner: &'a mut dyn SpawnWorker,
    /// The clock of the run.
    pub run_clock: &'a dyn RunClock,
    /// Receives every entry, faults included.
    pub observer: &'a mut dyn Observer,
    /// The cases that are not measured in wall time, by their identities.
    pub not_wall_time: Vec<String>,
    /// Faults of the run, to which others may be added.
    pub faults: Vec<Fault>,
    /// Whether an assertion does not hold.
    pub failed: bool,
    /// Whether a signal stops the run.
    pub interrupted: bool,
    /// Ticks of the clock inside of what is measured here, to which others may be added.
    pub launch_ticks: u64,
    /// Those inside batches.
    pub batch_ticks: u64,
}

impl fmt::Debug for PostRun<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostRun")
            .field("faults", &self.faults)
            .field("interrupted", &self.interrupted)
            .finish_non_exhaustive()
    }
}
