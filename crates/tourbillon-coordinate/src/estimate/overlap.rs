use tourbillon_record::{CaseResult, Note, Visit};
use tourbillon_stats::{MAD_TO_STDDEV, mad, median};

use super::batch::{median_of_ticks, sample_of};
use super::chain::CoreClock;

/// Cycles that an op may take longer behind a fence although nothing overlaps without it: its first
/// instructions are not begun before, and what the op before wrote is read back from the cache. On Zen 4
/// it was 3 for chains in registers, 5 to 8 for those through memory.
const FENCED: f64 = 8.0;
/// By what share of the figure it has to be longer besides: whoever takes the one for the other is not
/// misled below.
const CLEARLY: f64 = 0.1;

/// Says of both results of a case, in nanoseconds and in cycles, that calls overlap, where an op that begins
/// when the one before is over takes clearly longer.
#[inline(never)]
pub(crate) fn say_overlaps(time: &mut CaseResult, cycles: &mut CaseResult, visits: &[Visit]) {
    let (Ok(ns), Ok(estimate)) = (time.estimate, cycles.estimate) else {
        return;
    };
    let (mut longer, mut fenced) = (Vec::new(), FENCED);
    for visit in visits {
        if let Some(cycles) = excess(visit) {
            longer.push(cycles);
            fenced = FENCED / visit.ops_per_iteration as f64;
        }
    }
    let Some(longer) = sample_of(longer) else {
        return;
    };
    let excess = median(&longer);
    let scatter = MAD_TO_STDDEV * mad(&longer) / (longer.len() as f64).sqrt();
    if excess - 3.0 * scatter > CLEARLY * estimate + fenced && estimate > 0.0 {
        cycles.notes.push(Note::Overlaps {
            alone: estimate + excess,
        });
        let alone = (1.0 + excess / estimate) * ns;
        time.notes.push(Note::Overlaps { alone });
    }
}

/// How much longer an op takes that begins when the one before is over, in cycles, without what the fence
/// takes around an empty one.
#[inline(never)]
fn excess(visit: &Visit) -> Option<f64> {
    let apart = visit.apart.as_ref()?;
    let difference =
        |long: &[u64], short: &[u64]| Some(median_of_ticks(long)? - median_of_ticks(short)?);
    let fenced = difference(&apart.long_ticks, &apart.short_ticks)?;
    let free = difference(&apart.free_long_ticks, &apart.free_short_ticks)?;
    let empty = difference(&apart.empty_long_ticks, &apart.empty_short_ticks)?;
    let core = CoreClock::new(visit.chain.as_ref()?)?;
    let ops = apart.ops as f64 * visit.ops_per_iteration as f64;
    let cycles = (fenced - empty - free) / core.typical() / ops;
    cycles.is_finite().then_some(cycles)
}
