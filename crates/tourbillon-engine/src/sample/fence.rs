//! What an op takes that begins when the one before is over.
//!
//! It is read after the samples, so that it does not change them, nor what the system counts meanwhile.

use tourbillon_clock::Clock;
use tourbillon_record::{BatchShape, Batches, Fenced};
use tourbillon_stats::Rng;

use crate::arm::Arm;
use crate::arms::fenced_empty_body;
use crate::loops::HAS_FENCE;

/// How often each length is read.
const READINGS: usize = 3;
/// Nanoseconds of the short batch with fences, about; of the longest op whose overlap matters; and of a fence,
/// about.
const BATCH_NS: u64 = 5_000;
const OP_NS: u64 = 500;
const FENCE_NS: u64 = 10;
/// Fewest and most ops of that batch, and its largest part of a short batch of the samples: what is prepared
/// for each op takes time, too.
const OPS: (u64, u64) = (8, 512);
const SHARE: u64 = 3;

/// Reads an arm at two lengths with ops that wait for each other, and in the same loop with ops that do not,
/// and an empty body whose ops do. `None` for bodies that are repeated in another way, or, by the
/// samples, so long that it makes no difference.
pub(crate) fn read_fenced(
    arm: &mut dyn Arm,
    clock: &Clock,
    length: BatchShape,
    batches: &Batches,
    rng: &mut Rng,
) -> Option<Fenced> {
    let ops = fenced_ops(clock, length, batches)?;
    // The first batch finds the loop cold.
    arm.batch_with_fences(clock, ops, false)?;
    let mut readings = Fenced {
        ops,
        ..Fenced::default()
    };
    for _ in 0..READINGS {
        let long_first = rng.coin();
        for is_long in [long_first, !long_first] {
            let ops = if is_long { 2 * ops } else { ops };
            for fenced in [long_first, !long_first] {
                let ticks = match (is_long, fenced) {
                    (false, false) => &mut readings.free_short_ticks,
                    (false, true) => &mut readings.short_ticks,
                    (true, false) => &mut readings.free_long_ticks,
                    (true, true) => &mut readings.long_ticks,
                };
                ticks.push(arm.batch_with_fences(clock, ops, fenced)?.0);
            }
        }
        readings
            .empty_short_ticks
            .push(fenced_empty_body(clock, ops));
        readings
            .empty_long_ticks
            .push(fenced_empty_body(clock, 2 * ops));
    }
    Some(readings)
}

/// Ops of a short batch; `None` where too few fit.
fn fenced_ops(clock: &Clock, length: BatchShape, batches: &Batches) -> Option<u64> {
    if !HAS_FENCE || !length.slope {
        return None;
    }
    let ticks_in = |ns| clock.frequency().ticks_in(ns).0;
    let rows = batches.kind.iter().zip(&batches.ticks);
    let short = rows
        .filter(|(kind, _)| **kind == 1)
        .map(|(_, ticks)| *ticks);
    let ops = length.iterations().max(1);
    let op = short.min().unwrap_or(u64::MAX) / ops;
    let room = ticks_in(BATCH_NS) / (op + ticks_in(FENCE_NS)).max(1);
    let most = (ops / SHARE).min(length.items).min(OPS.1);
    (op < ticks_in(OP_NS) && most >= OPS.0).then(|| room.clamp(OPS.0, most))
}
