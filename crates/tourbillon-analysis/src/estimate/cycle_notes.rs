//! Notes on cycles: ops that overlap, and code that waits for memory.

use tourbillon_record::{CaseResult, Note, Visit};
use tourbillon_stats::{MAD_TO_STDDEV, Sample, mad, median};

use super::batch::median_of_ticks;
use super::chain::CoreClock;
use super::contention::Judgement;
use super::launch::{Launch, values};

/// Cycles that a fence may add to an op although nothing overlaps without it: the first instructions of the
/// op do not begin before, and what the op before wrote is read back from the cache. On Zen 4 it was 3 for
/// chains in registers, 5 to 8 for those through memory.
const FENCED: f64 = 8.0;
/// Fraction of the figure that it must add beyond that: below, the figure misleads nobody.
const CLEARLY: f64 = 0.1;

/// By which fraction of the figure, and by how many cycles, the loop without fences may differ from that of
/// the samples, which ran for longer, on more items, and perhaps with more copies of the body. If it
/// differs by more, the processor's predictors know one of the loops better than the other.
const ALIKE: (f64, f64) = (0.25, 8.0);
/// Fewest launches whose scatter gives the error of the excess.
const FEWEST: usize = 3;

/// How much more one thing must scatter than another to be clearly less steady.
const LESS_STEADY: f64 = 1.3;
/// Bytes of a cache line, and nanoseconds of fetching one from far away.
const LINE: (f64, f64) = (64.0, 50.0);
/// Scatter of launches, as a fraction, that code which computes hardly ever has.
const FAR: f64 = 0.03;

/// Adds to both results of a case that ops overlap, where an op behind a fence takes clearly longer; by the visits
/// that were not contended.
pub(crate) fn add_overlaps(
    time: &mut CaseResult,
    cycles: &mut CaseResult,
    visits: &[Visit],
    judged: &[Judgement],
) {
    let (Ok(ns), Ok(estimate)) = (time.estimate, cycles.estimate) else {
        return;
    };
    let quiet = visits
        .iter()
        .zip(judged)
        .filter(|(_, judgement)| !judgement.is_contended);
    let (free, excess) = quiet.filter_map(|(visit, _)| fenced(visit)).unzip();
    let (Ok(free), Ok(longer)) = (Sample::new(free), Sample::new(excess)) else {
        return;
    };
    let excess = median(&longer);
    let scatter = MAD_TO_STDDEV * mad(&longer) / (longer.len() as f64).sqrt();
    let alike = (median(&free) - estimate).abs() <= ALIKE.0 * estimate + ALIKE.1;
    let clear = excess - 3.0 * scatter > CLEARLY * estimate + FENCED;
    if alike && clear && longer.len() >= FEWEST && estimate > 0.0 {
        let alone = estimate + excess;
        cycles.notes.push(Note::Overlaps { alone });
        let alone = (1.0 + excess / estimate) * ns;
        time.notes.push(Note::Overlaps { alone });
    }
}

/// Cycles per op of a visit: without a fence, and how much longer with one, less what the fence adds to an
/// empty op. `None` where that was not read, or where ops inside an iteration overlap all the same.
fn fenced(visit: &Visit) -> Option<(f64, f64)> {
    let apart = visit.apart.as_ref()?;
    if visit.ops_per_iteration != 1 || apart.ops == 0 {
        return None;
    }
    let core = CoreClock::new(visit.chain.as_ref()?)?;
    let cycles = core.typical() * apart.ops as f64;
    let per_op = |long: &[u64], short: &[u64]| {
        Some((median_of_ticks(long)? - median_of_ticks(short)?) / cycles)
    };
    let fenced = per_op(&apart.long_ticks, &apart.short_ticks)?;
    let free = per_op(&apart.free_long_ticks, &apart.free_short_ticks)?;
    let empty = per_op(&apart.empty_long_ticks, &apart.empty_short_ticks)?;
    Some((free, fenced - empty - free))
}

/// Notes that cycles are of code that waits for memory: it touches more than a core's own caches hold, and
/// does not seem to follow the core's clock.
pub(crate) fn waits_for_memory(
    cycles: &CaseResult,
    time: &CaseResult,
    visits: &[Visit],
    launches: &[Launch],
    cache_bytes: u64,
) -> Option<Note> {
    let is_large = |visit: &&Visit| visit.touched_bytes >= Some(cache_bytes);
    let visit = visits.iter().find(is_large)?;
    let touched_bytes = visit.touched_bytes?;
    let (scatter_of_cycles, scatter_of_time) = (scatter(cycles)?, scatter(time)?);
    let call_ns = time.estimate.ok()? * visit.ops_per_iteration as f64;
    // There is time to wait for every line and to compute as long.
    let computes = call_ns / LINE.1 > touched_bytes as f64 / LINE.0;
    let follows = if computes {
        scatter_of_cycles < FAR
    } else {
        follows_core(scatter_of_cycles, scatter_of_time, launches)?
    };
    (!follows).then_some(Note::WaitsForMemory { touched_bytes })
}

/// Whether a case follows the core's clock, by the scatter of its cycles and of its time.
///
/// It does if its cycles are steadier than the clock and not clearly less steady than its time: if times were
/// independent of the clock, the scatter of the clock would be part of that of the cycles. Cycles that
/// are clearly steadier than the time need not be quite so steady.
fn follows_core(cycles: f64, time: f64, launches: &[Launch]) -> Option<bool> {
    let clocks = values(launches, |launch| Some(launch.scale))?;
    let clock = mad(&clocks) / median(&clocks);
    let is_steady = cycles < clock && cycles < time * LESS_STEADY;
    Some(is_steady || (cycles < 2.0 * clock && cycles * LESS_STEADY < time))
}

/// Scatter of the launches as a fraction of the figure.
fn scatter(result: &CaseResult) -> Option<f64> {
    Some(result.mad? / result.estimate.ok()?)
}
