//! What a run reports to its caller, and what it asks of it.

use tourbillon_record::{ClockCheck, Entry, LaunchSamples, MachineEvents};

/// The clock of a run: this crate reads none itself.
pub trait RunClock {
    /// Nanoseconds since some moment before the run; never decreases.
    fn now_ns(&self) -> u64;

    /// When the run began, asked where the rest of it begins: before that where launches were made before.
    fn begun_ns(&self) -> u64 {
        self.now_ns()
    }

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

    /// The entry of a launch, and the line of it that its worker sent.
    fn launch(&mut self, samples: &LaunchSamples, _line: &[u8]) {
        self.entry(Entry::Launch(samples));
    }

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
    /// How many of its launches were kept, and how many were made, where others are made in place of contended ones.
    pub kept: Option<(u32, u32)>,
    /// Number of its launch, from 0.
    pub launch: u32,
    /// Wall time since the start of the run in nanoseconds.
    pub elapsed_ns: u64,
}
