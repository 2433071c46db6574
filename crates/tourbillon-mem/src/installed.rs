//! Whether this process counts at all, found out by an allocation.

use std::alloc::{Layout, alloc, dealloc};
use std::fmt;
use std::hint::black_box;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use crate::counts::Counts;
use crate::process::MOST_REGIONS;
use crate::tally::ThreadRegion;

/// Why nothing was counted.
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
    pub(crate) const ABSENT: Self = Self {
        reason: Reason::Absent,
    };
    const ALTERED: Self = Self {
        reason: Reason::Altered,
    };
    pub(crate) const TOO_MANY: Self = Self {
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

/// Whether a [`Meter`](crate::Meter) sees exactly what this process asks for.
///
/// See [`check_installed`].
#[must_use]
pub fn installed() -> bool {
    check_installed().is_ok()
}

const UNKNOWN: u8 = 0;
const EXACT: u8 = 1;
const ABSENT: u8 = 2;
const ALTERED: u8 = 3;

/// What the first check found: a process does not change its global allocator.
static FOUND: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether a [`Meter`](crate::Meter) sees exactly what this process asks for, or why not.
///
/// Answered by allocating one block and looking at the counters, once per process: that a meter was
/// built somewhere does not mean that it is the global allocator.
///
/// # Errors
/// When no meter counts the block, when two do, or when it arrives with another size.
///
/// # Cost
/// One relaxed load after the first call.
pub fn check_installed() -> Result<(), NotMetered> {
    let found = match FOUND.load(Relaxed) {
        UNKNOWN => find_out(),
        found => found,
    };
    match found {
        ABSENT => Err(NotMetered::ABSENT),
        ALTERED => Err(NotMetered::ALTERED),
        _ => Ok(()),
    }
}

#[cold]
fn find_out() -> u8 {
    // No other code of this thread runs meanwhile, so the size needs not be unusual, only not one that
    // a header or a rounding in between would leave alone.
    const PROBE: Layout = Layout::new::<[u8; 1009]>();
    let region = ThreadRegion::open();
    // SAFETY: the layout has a size that is not zero.
    let block = unsafe { alloc(PROBE) };
    // The compiler may not conclude that nobody needs the block.
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
