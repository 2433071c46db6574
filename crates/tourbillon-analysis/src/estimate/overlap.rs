use tourbillon_record::{CaseResult, Note, Visit};
use tourbillon_stats::{MAD_TO_STDDEV, mad, median};

use super::batch::{median_of_ticks, sample_of};
use super::chain::CoreClock;
use super::contention::Judgement;

/// Cycles that an op may take longer behind a fence although nothing overlaps without it: its first
/// instructions are not begun before, and what the op before wrote is read back from the cache. On Zen 4
/// it was 3 for chains in registers, 5 to 8 for those through memory.
const FENCED: f64 = 8.0;
/// By what share of the figure it has to be longer besides: whoever takes the one for the other is not
/// misled below.
const CLEARLY: f64 = 0.1;

/// By what share of the figure, and by how many cycles, the loop without fences may differ from that of the
/// samples, which has run for longer, on more items, and may have more copies of the body: where it is more,
/// the processor has learnt something in one of them that it does not know in the other.
const ALIKE: (f64, f64) = (0.25, 8.0);
/// Launches from which their scatter says how wrong the excess may be.
const FEWEST: usize = 3;

/// Says of both results of a case, in nanoseconds and in cycles, that calls overlap, where an op that begins
/// when the one before is over takes clearly longer; by the visits that were not contended.
#[inline(never)]
pub(crate) fn say_overlaps(
    time: &mut CaseResult,
    cycles: &mut CaseResult,
    visits: &[Visit],
    judged: &[Judgement],
) {
    let (Ok(ns), Ok(estimate)) = (time.estimate, cycles.estimate) else {
        return;
    };
    let (mut free, mut longer) = (Vec::new(), Vec::new());
    for index in 0..visits.len() {
        if let Some(reading) = Reading::of(&visits[index]).filter(|_| !judged[index].is_contended) {
            free.push(reading.free);
            longer.push(reading.excess);
        }
    }
    let (Some(free), Some(longer)) = (sample_of(free), sample_of(longer)) else {
        return;
    };
    let excess = median(&longer);
    let scatter = MAD_TO_STDDEV * mad(&longer) / (longer.len() as f64).sqrt();
    let alike = (median(&free) - estimate).abs() <= ALIKE.0 * estimate + ALIKE.1;
    let clear = excess - 3.0 * scatter > CLEARLY * estimate + FENCED;
    if alike && clear && longer.len() >= FEWEST && estimate > 0.0 {
        cycles.notes.push(Note::Overlaps {
            alone: estimate + excess,
        });
        let alone = (1.0 + excess / estimate) * ns;
        time.notes.push(Note::Overlaps { alone });
    }
}

/// What a visit read, in cycles per op.
struct Reading {
    /// Without a fence.
    free: f64,
    /// How much longer an op takes that begins when the one before is over, without what the fence takes
    /// around an empty one.
    excess: f64,
}

impl Reading {
    /// `None` where nothing was read, or ops inside of an iteration overlap all the same.
    #[inline(never)]
    fn of(visit: &Visit) -> Option<Reading> {
        let apart = visit.apart.as_ref()?;
        if visit.ops_per_iteration != 1 || apart.ops == 0 {
            return None;
        }
        let core = CoreClock::new(visit.chain.as_ref()?)?;
        let cycles = core.typical() * apart.ops as f64;
        let difference = |long: &[u64], short: &[u64]| {
            Some((median_of_ticks(long)? - median_of_ticks(short)?) / cycles)
        };
        let fenced = difference(&apart.long_ticks, &apart.short_ticks)?;
        let free = difference(&apart.free_long_ticks, &apart.free_short_ticks)?;
        let empty = difference(&apart.empty_long_ticks, &apart.empty_short_ticks)?;
        Some(Reading {
            free,
            excess: fenced - empty - free,
        })
    }
}
