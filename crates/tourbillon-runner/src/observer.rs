use tourbillon_record::{Entry, Visit};

use crate::ByteRange;

/// Somebody who is told what happens in a run while it happens.
pub trait Observer {
    /// An entry of the record: the cases first, then visits and faults as they come, the results,
    /// and the end. The header is not among them; it is written before the run.
    fn entry(&mut self, entry: Entry<'_>);

    /// A visit that was made, which is an entry of the record too. All of them are needed again at the
    /// end: who can find it again says where, and it takes no memory meanwhile.
    fn visit(&mut self, visit: &Visit) -> Option<ByteRange> {
        self.entry(Entry::Visit(visit));
        None
    }

    /// The line of the record with a visit that [`Observer::visit`] has said the place of; `None` when
    /// it cannot be had any more, which counts as a failed launch.
    fn again(&mut self, there: ByteRange) -> Option<String> {
        let _ = there;
        None
    }

    /// Some visits of a case that [`Observer::visit`] has said the place of could not be read back.
    fn unreadable(&mut self) {}

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
