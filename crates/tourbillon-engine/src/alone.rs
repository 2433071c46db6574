//! What an op takes that begins when the one before is over.
//!
//! Read behind the samples, so that these are as if it were not: what the system counts while they are taken
//! is of them alone.

use tourbillon_clock::Clock;
use tourbillon_record::{Apart, BatchShape, Batches};
use tourbillon_stats::Rng;

use crate::Arm;
use crate::fenced::HAS_FENCE;
use crate::loops::iterate_apart;

/// How often each length is read.
const READINGS: usize = 3;
/// Nanoseconds of the short batch with fences, about; what one op may take at most, so that what overlaps
/// of it could matter; and what a fence adds to it, about.
const BATCH_NS: u64 = 5_000;
const OP_NS: u64 = 500;
const FENCE_NS: u64 = 10;
/// Fewest ops of that batch, and most; and one part of so many of a short batch of the samples at most, for
/// what is prepared for each op takes its time, too.
const OPS: (u64, u64) = (8, 512);
const SHARE: u64 = 3;

/// Reads an arm at two lengths with ops that wait for each other, and in the same loop with ops that do not,
/// and an empty body whose ops do. `None` for bodies that are repeated in another way, or so long that
/// it makes no difference; how long they are, the samples say.
pub(crate) fn read_apart(
    arm: &mut dyn Arm,
    clock: &Clock,
    length: BatchShape,
    batches: &Batches,
    rng: &mut Rng,
) -> Option<Apart> {
    let ops = ops_apart(clock, length, batches)?;
    // The first batch finds the loop cold.
    arm.apart(clock, ops, false)?;
    let mut apart = Apart {
        ops,
        ..Apart::default()
    };
    for _ in 0..READINGS {
        let long_first = rng.coin();
        for is_long in [long_first, !long_first] {
            let ops = if is_long { 2 * ops } else { ops };
            for fenced in [long_first, !long_first] {
                let ticks = match (is_long, fenced) {
                    (false, false) => &mut apart.free_short_ticks,
                    (false, true) => &mut apart.short_ticks,
                    (true, false) => &mut apart.free_long_ticks,
                    (true, true) => &mut apart.long_ticks,
                };
                ticks.push(arm.apart(clock, ops, fenced)?.0);
            }
        }
        let empty = |ops| iterate_apart(clock, &mut || (), ops, true);
        apart.empty_short_ticks.push(empty(ops));
        apart.empty_long_ticks.push(empty(2 * ops));
    }
    Some(apart)
}

/// Ops of a short batch; `None` where too few fit.
fn ops_apart(clock: &Clock, length: BatchShape, batches: &Batches) -> Option<u64> {
    if !HAS_FENCE || !length.slope {
        return None;
    }
    let ticks_in = |ns| clock.frequency().ticks_in(ns).0;
    let mut least = u64::MAX;
    for (kind, ticks) in batches.kind.iter().zip(&batches.ticks) {
        if *kind == 1 {
            least = least.min(*ticks);
        }
    }
    let ops = (length.windows * length.items).max(1);
    let op = least / ops;
    let room = ticks_in(BATCH_NS) / (op + ticks_in(FENCE_NS)).max(1);
    let most = (ops / SHARE).min(length.items).min(OPS.1);
    (op < ticks_in(OP_NS) && most >= OPS.0).then(|| room.clamp(OPS.0, most))
}
