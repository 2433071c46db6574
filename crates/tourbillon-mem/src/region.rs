//! Counting one call.

use crate::counts::{Counts, ProcessCounts};
use crate::installed::{NotMetered, check_installed};
use crate::process::ProcessRegion;
use crate::tally::{Mark, ThreadRegion};

/// Calls `body` once and counts what this thread asks of the allocator meanwhile.
///
/// What `body` returns is still alive when the counting ends: bytes live are what it keeps. Calls
/// inside of calls count the same events each.
///
/// # Errors
/// When this process has no [`Meter`](crate::Meter) as its global allocator, or one whose counts
/// would not be exact; `body` is not called then.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let (list, built) = tourbillon_mem::tally(|| Vec::<u64>::with_capacity(8))?;
/// assert_eq!((built.allocs, built.live_bytes()), (1, 64));
/// let ((), dropped) = tourbillon_mem::tally(|| drop(list))?;
/// assert_eq!((dropped.frees, dropped.live_bytes()), (1, -64));
/// # Ok::<(), tourbillon_mem::NotMetered>(())
/// ```
///
/// # Accuracy
/// Exact for this thread, whatever other threads do, and of the program as it was optimised. Blocks
/// that other threads allocate or free are not in it: see [`tally_process`]. What other coroutines do
/// on this thread, while `body` is switched away from, is in it; where calls in several of them do
/// not end in the reverse order of their beginning, the peaks are not those of one call.
///
/// # Cost
/// About 20 ns, and what the [`Meter`](crate::Meter) costs for each event.
pub fn tally<T>(body: impl FnOnce() -> T) -> Result<(T, Counts), NotMetered> {
    check_installed()?;
    let region = ThreadRegion::open();
    let value = body();
    let counts = region.counts();
    Ok((value, counts))
}

/// Calls `body` once and counts what all threads of this process ask of the allocator meanwhile, and
/// this thread's share of it.
///
/// # Errors
/// As [`tally`], and when 16 calls are being counted this way already.
///
/// # Accuracy
/// Every event of a thread that `body` started and joined, or handed work and waited for, is in it.
/// Events that other threads are in the midst of when the counting begins or ends are in it or not.
/// Peaks of several threads depend on how these happen to overlap, and miss what is under way on
/// other threads at the very instant of the peak.
///
/// # Cost
/// For each event of each thread what [`tally`] costs, additions in counters that no other thread writes,
/// and for what allocates a look at those of all threads: see `docs/decisions/0010-memory-meter.md`. The
/// seventeenth thread of a process and later ones share counters with locked additions.
pub fn tally_process<T>(body: impl FnOnce() -> T) -> Result<(T, ProcessCounts), NotMetered> {
    check_installed()?;
    let process = ProcessRegion::open().ok_or(NotMetered::TOO_MANY)?;
    let thread = ThreadRegion::open();
    let value = body();
    let counts = ProcessCounts {
        thread: thread.counts(),
        process: process.counts(),
    };
    Ok((value, counts))
}

/// Counting of the whole process that begins and ends where its owner says, for code that does not
/// fit into a closure: what is between two calls, or between the two ends of somebody else's loop.
///
/// Ends when it is dropped; counts nothing from then on.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let counting = tourbillon_mem::Counting::begin()?;
/// let list = vec![1_u64; 8];
/// let counts = counting.counts();
/// assert_eq!((counts.allocs, counts.peak_bytes), (1, 64));
/// # Ok::<(), tourbillon_mem::NotMetered>(())
/// ```
///
/// # Accuracy
/// As [`tally_process`].
#[derive(Debug)]
pub struct Counting {
    thread: Mark,
    process: ProcessRegion,
}

impl Counting {
    /// Begins.
    ///
    /// # Errors
    /// As [`tally_process`].
    pub fn begin() -> Result<Self, NotMetered> {
        check_installed()?;
        let process = ProcessRegion::open().ok_or(NotMetered::TOO_MANY)?;
        Ok(Self {
            thread: Mark::here(),
            process,
        })
    }

    /// What all threads asked of the allocator so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.process.counts()
    }

    /// Of that, requests for memory that other threads made than the one on which this began;
    /// `None` when asked on another thread than that one.
    #[must_use]
    pub fn requests_elsewhere(&self) -> Option<u64> {
        let own = self.thread.counts()?.requests();
        Some(self.process.counts().requests().saturating_sub(own))
    }
}
