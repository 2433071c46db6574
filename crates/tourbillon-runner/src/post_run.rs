use std::fmt;

use tourbillon_record::Fault;

use crate::{Observer, RunClock, Settings, SpawnWorker};

/// What there is to work with after the last visit of a run.
pub struct PostRun<'a> {
    /// Settings of the run.
    pub settings: &'a Settings,
    /// Where workers come from.
    pub spawner: &'a mut dyn SpawnWorker,
    /// The time.
    pub run_clock: &'a dyn RunClock,
    /// Who is told of every line, faults included.
    pub observer: &'a mut dyn Observer,
    /// The cases that are not measured in wall time, by their identities.
    pub otherwise: Vec<String>,
    /// Faults of the run, to which others may be added.
    pub faults: Vec<Fault>,
    /// Whether the run was told to stop.
    pub interrupted: bool,
    /// Ticks of the clock inside of what is measured here, to which others may be added.
    pub visit_ticks: u64,
    /// Those inside batches.
    pub batch_ticks: u64,
}

impl fmt::Debug for PostRun<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Afterwards")
            .field("faults", &self.faults)
            .field("interrupted", &self.interrupted)
            .finish_non_exhaustive()
    }
}
