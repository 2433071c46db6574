//! What memory the batches of a case touch.

use tourbillon_clock::Clock;
use tourbillon_record::BatchShape;

use crate::budget::Budget;
use crate::{Arm, Stretch, System};

/// Short batches to look at, by the length that was asked for: what walks on through its memory from one
/// batch to the next, at 8 bytes in a nanosecond, gets through 6 MiB in that time.
const BATCHES: u64 = 12;

/// Bytes that batches of a case touch, a few of them or a long one; `None` where the system does not
/// tell, or where a batch takes too long to be made once more. `batch` is what one takes, with all that is
/// around it.
#[inline(never)]
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
    let stretch = Stretch {
        windows: length.windows,
        items: length.items,
        unroll: length.unroll,
    };
    let forgotten = system.forget_touched()?;
    let start = clock.now();
    loop {
        arm.batch(clock, stretch);
        if clock.now().0.wrapping_sub(start.0) >= budget.batch.saturating_mul(BATCHES) {
            return system.touched_bytes(forgotten);
        }
    }
}
