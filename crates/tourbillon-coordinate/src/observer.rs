use tourbillon_record::Entry;

/// Somebody who is told what happens in a run while it happens.
pub trait Observer {
    /// An entry of the record: the cases first, then visits and faults as they come, the results,
    /// and the end. The header is not among them; it is written before the run.
    fn entry(&mut self, entry: Entry<'_>);

    /// A visit is about to begin.
    fn progress(&mut self, progress: &Progress<'_>) {
        let _ = progress;
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Visits made, failed ones included.
    pub done: usize,
    /// Visits in all, as far as is known by now: a body that does not fit into its budget gets
    /// fewer, a case that is looked at again gets more.
    pub total: usize,
    /// Visits that failed.
    pub faults: usize,
    /// Identity of the case that is about to be visited.
    pub case: &'a str,
    /// Number of its launch, from 0.
    pub launch: u32,
    /// Wall time since the start of the run in nanoseconds.
    pub elapsed_ns: u64,
}
