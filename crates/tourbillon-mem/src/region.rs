//! Counting one call, and whether this process can count.

use std::alloc::{Layout, alloc, dealloc};
use std::fmt;
use std::hint::black_box;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use crate::counts::{Counts, ProcessCounts};
use crate::process::{MOST_REGIONS, ProcessRegion};
use crate::tally::{Mark, ThreadRegion};

/// Calls `body` once and counts what this thread requests from the allocator meanwhile.
///
/// The value of `body` is still alive when the counting ends, so live bytes are what it owns. Nested
/// calls each count the same events.
///
/// # Errors
/// If this process has no [`Meter`](crate::Meter) as its global allocator, or one whose counts would not
/// be exact; `body` is not called then.
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
/// Exact for this thread and the optimised program. Blocks that other threads allocate or free are not
/// counted: see [`tally_process`]. Other coroutines that run on this thread while `body` is suspended are
/// counted; if their calls do not end in the reverse order of their beginning, the peaks are wrong.
///
/// # Cost
/// About 20 ns, and what the [`Meter`](crate::Meter) costs for each event.
pub fn tally<T>(body: impl FnOnce() -> T) -> Result<(T, Counts), NotMetered> {
    check_installed()?;
    let region = ThreadRegion::open(false);
    let value = body();
    Ok((value, region.counts()))
}

/// Calls `body` once and counts what all threads of this process request from the allocator meanwhile,
/// and this thread's share.
///
/// # Errors
/// As [`tally`], and if 16 calls are already counted this way.
///
/// # Accuracy
/// Includes every event of a thread that `body` started and joined, or gave work to and waited for.
/// Events in progress on other threads when the counting begins or ends may or may not be included.
/// Peaks of several threads depend on how these overlap, and miss changes in progress on other threads at
/// the instant of the peak.
///
/// # Cost
/// For each event of each thread the cost of [`tally`], additions to counters that no other thread
/// writes, and for allocations a read of those of all threads: see
/// `docs/decisions/0010-memory-meter.md`. The seventeenth and later threads of a process share counters
/// with locked additions.
pub fn tally_process<T>(body: impl FnOnce() -> T) -> Result<(T, ProcessCounts), NotMetered> {
    check_installed()?;
    let process = ProcessRegion::open().ok_or(NotMetered::TOO_MANY)?;
    let thread = ThreadRegion::open(false);
    let value = body();
    let counts = ProcessCounts {
        thread: thread.counts(),
        process: process.counts(),
    };
    Ok((value, counts))
}

/// Counting of the whole process that begins and ends where its owner chooses, for code that does not fit
/// into a closure. Dropping it ends it.
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

    /// What all threads requested from the allocator so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.process.counts()
    }

    /// Requests for memory by other threads than the one on which this began; `None` when called on
    /// another thread than that one.
    #[must_use]
    pub fn requests_elsewhere(&self) -> Option<u64> {
        let own = self.thread.counts()?.requests();
        Some(self.process.counts().requests().saturating_sub(own))
    }
}

/// Why nothing can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotMetered {
    reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    Absent,
    Altered,
    TooMany,
}

impl NotMetered {
    const TOO_MANY: Self = Self {
        reason: Reason::TooMany,
    };

    /// Whether there is no [`Meter`](crate::Meter) at all.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.reason == Reason::Absent
    }
}

impl fmt::Display for NotMetered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::Absent => f.write_str(
                "no meter is installed; add `#[global_allocator] static ALLOC: Meter = \
                 Meter::system();` to the program",
            ),
            Reason::Altered => f.write_str(
                "the meter does not see what the program asks for; make it the outermost global \
                 allocator, and the only meter",
            ),
            Reason::TooMany => write!(
                f,
                "{MOST_REGIONS} calls are being counted for the whole process already; count fewer \
                 at once"
            ),
        }
    }
}

impl std::error::Error for NotMetered {}

/// Whether a [`Meter`](crate::Meter) counts exactly what this process requests: see
/// [`check_installed`].
#[must_use]
pub fn installed() -> bool {
    check_installed().is_ok()
}

const UNKNOWN: u8 = 0;
const EXACT: u8 = 1;
const ABSENT: u8 = 2;
const ALTERED: u8 = 3;

/// The result of the first check: a process does not change its global allocator.
static FOUND: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether a [`Meter`](crate::Meter) counts exactly what this process requests, or why not.
///
/// The check allocates one block and compares the counters, once per process: a meter that exists need
/// not be the global allocator.
///
/// # Errors
/// If no meter counts the block, if two do, or if it arrives with another size.
///
/// # Cost
/// One relaxed load after the first call.
pub fn check_installed() -> Result<(), NotMetered> {
    let found = match FOUND.load(Relaxed) {
        UNKNOWN => find_out(),
        found => found,
    };
    let reason = match found {
        ABSENT => Reason::Absent,
        ALTERED => Reason::Altered,
        _ => return Ok(()),
    };
    Err(NotMetered { reason })
}

#[cold]
fn find_out() -> u8 {
    // A size that a header or a rounding in between would change.
    const PROBE: Layout = Layout::new::<[u8; 1009]>();
    let region = ThreadRegion::open(false);
    // SAFETY: the layout has a size that is not zero.
    let block = unsafe { alloc(PROBE) };
    // Keeps the compiler from removing the unused block.
    let block = black_box(block);
    if !block.is_null() {
        // SAFETY: the block was allocated with this layout just now.
        unsafe { dealloc(block, PROBE) };
    }
    let counts = region.counts();
    drop(region);
    let exact = Counts {
        allocs: 1,
        frees: 1,
        allocated_bytes: PROBE.size() as u64,
        freed_bytes: PROBE.size() as u64,
        peak_bytes: PROBE.size() as u64,
        peak_blocks: 1,
        ..Counts::default()
    };
    let found = if block.is_null() {
        // A process without memory: ask again when there is some.
        return if counts.failed == 1 { EXACT } else { ABSENT };
    } else if counts == exact {
        EXACT
    } else if counts.is_zero() {
        ABSENT
    } else {
        ALTERED
    };
    FOUND.store(found, Relaxed);
    found
}
