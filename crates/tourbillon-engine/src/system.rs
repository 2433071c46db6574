//! What the system knows of this process, and what memory the batches of a case touch.

use tourbillon_clock::Clock;
use tourbillon_record::{BatchShape, SystemCounts};

use crate::arm::Arm;
use crate::calibrate::Budget;

/// The length of the batches that are looked at, in short ones: code that walks on through its memory from one
/// batch to the next, at 8 bytes per nanosecond, gets through 6 MiB in that time.
const BATCHES: u64 = 12;

/// The system, as far as this crate asks it anything.
pub trait System {
    /// What it has counted up to now.
    fn counts(&self) -> SystemCounts;

    /// Has it forget what memory was touched; `None` where it cannot. The value is for
    /// [`System::touched_bytes`].
    fn forget_touched(&self) -> Option<u64>;

    /// Bytes of memory that were touched since; `None` where that is unknown.
    fn touched_bytes(&self, forgotten: u64) -> Option<u64>;
}

/// A system that knows nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl System for Silent {
    fn counts(&self) -> SystemCounts {
        SystemCounts::default()
    }

    fn forget_touched(&self) -> Option<u64> {
        None
    }

    fn touched_bytes(&self, _forgotten: u64) -> Option<u64> {
        None
    }
}

/// Bytes that some batches of a case touch; `None` where the system does not know, or where a batch takes too
/// long to be run once more: `batch` ticks with all that is around it.
pub(crate) fn touched_bytes(
    arm: &mut dyn Arm,
    clock: &Clock,
    length: BatchShape,
    batch: u64,
    budget: &Budget,
    system: &dyn System,
) -> Option<u64> {
    if batch > budget.extra {
        return None;
    }
    let forgotten = system.forget_touched()?;
    let start = clock.now();
    loop {
        arm.batch(clock, length);
        if clock.now().0.wrapping_sub(start.0) >= budget.batch.saturating_mul(BATCHES) {
            return system.touched_bytes(forgotten);
        }
    }
}
