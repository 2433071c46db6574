//! Notes on results: what a reader should know besides the figures.

use tourbillon_record::{CaseResult, LaunchSamples, Note};
use tourbillon_stats::{MAD_TO_STDDEV, Sample, mad, median, quantile};

use super::chain::CoreClock;
use super::contention::ContendedParts;
use super::launch::{Launch, values};
use super::readings::{median_of, median_of_kind, median_of_ticks, ticks_inside};
use super::totals::Totals;
use crate::Frequency;

/// Robust standard deviations from the median at which a launch is slow.
const APART: f64 = 5.0;
/// Fraction of the median at which it is slow.
const APART_FRACTION: f64 = 0.05;
/// Curvature that is noted.
const CURVED: f64 = 0.02;
/// Share of a batch that its iterations do not explain that is noted.
const CONSTANT: f64 = 0.9;
/// Difference of one item alone that is noted.
const ANOTHER_COST: f64 = 0.1;
/// Excess of the slowest thread over the fastest that is noted.
const UNEVEN: f64 = 0.2;
/// Fewest launches that have a scatter.
const SCATTER: usize = 3;
/// Nanoseconds of the first access to a page, about: the system finds, clears and maps it
/// (docs/explanation/methodology.md, Findings).
const FAULT_NS: f64 = 500.0;
/// Share of the time in first accesses that is noted.
const FAULT_SHARE: f64 = 0.01;
/// Pages that sampling may touch for its own records in a launch.
const OWN_FAULTS: u64 = 16;
/// Share of the time without the processor that is noted.
pub(super) const WAITED: f64 = 0.05;
/// One launch in this many may be disturbed while it warms up.
const COLD_SHARE: u32 = 4;
/// Cycles that a fence may add to an op although nothing overlaps without it: the first instructions of the
/// op do not begin before, and what the op before wrote is read back from the cache. On Zen 4 it was 3 for
/// chains in registers, 5 to 8 for those through memory.
const FENCED: f64 = 8.0;
/// Fraction of the figure that it must add beyond that: less does not mislead.
const CLEARLY: f64 = 0.1;

/// By which fraction of the figure, and by how many cycles, the loop without fences may differ from that of
/// the samples, which ran for longer, on more items, and perhaps with more copies of the body. If it
/// differs by more, the processor's predictors know one of the loops better than the other.
const ALIKE: (f64, f64) = (0.25, 8.0);

/// How much more one thing must scatter than another to be clearly less steady.
const LESS_STEADY: f64 = 1.3;
/// Bytes of a cache line, and nanoseconds of fetching one from far away.
const LINE: (f64, f64) = (64.0, 50.0);
/// Scatter of launches, as a fraction, that code which computes hardly ever has.
const FAR: f64 = 0.03;

/// A mean outside of the interval.
pub(crate) fn skewed(result: &CaseResult) -> Option<Note> {
    let (mean, lower, upper) = (result.mean?, result.lower?, result.upper?);
    (mean < lower || mean > upper).then_some(Note::Skewed)
}

/// Launches that were much slower than the others.
pub(crate) fn slow(estimates: &Sample) -> Option<Note> {
    let centre = median(estimates);
    let limit = (APART * MAD_TO_STDDEV * mad(estimates)).max(APART_FRACTION * centre);
    let slow = estimates
        .as_slice()
        .iter()
        .filter(|value| **value - centre > limit);
    let count = slow.count() as u32;
    let excess = estimates.max() / centre - 1.0;
    let is_noted = count > 0 && centre > 0.0 && estimates.len() >= SCATTER;
    is_noted.then_some(Note::SlowLaunches { count, excess })
}

/// Time that does not grow in proportion to the iterations.
pub(crate) fn curved(launches: &[Launch]) -> Option<Note> {
    let fractions = values(launches, |launch| launch.curvature)?;
    let fraction = median(&fractions);
    (fractions.len() >= SCATTER && stands_out(fraction, CURVED, &fractions))
        .then_some(Note::Curvature { fraction })
}

/// A body that times itself and takes as long for twice as many iterations, in three of four launches: where others use
/// the processor, it seems so in some.
pub(crate) fn constant(launches: &[Launch]) -> Option<Note> {
    let shares = values(launches, |launch| launch.unexplained)?;
    (quantile(&shares, 0.25)? > CONSTANT).then_some(Note::ConstantTime)
}

/// Whether the median of a sample is beyond a limit, and beyond what its scatter explains.
fn stands_out(median: f64, limit: f64, fractions: &Sample) -> bool {
    let scatter = MAD_TO_STDDEV * mad(fractions) / (fractions.len() as f64).sqrt();
    median.abs() > limit.max(3.0 * scatter)
}

/// One item alone that takes another time than the stream of items.
pub(crate) fn fixed_item(launches: &[LaunchSamples]) -> Option<Note> {
    let fractions = launches.iter().filter_map(difference_of_fixed_item);
    let fractions = Sample::new(fractions.collect()).ok()?;
    let fraction = median(&fractions);
    stands_out(fraction, ANOTHER_COST, &fractions).then_some(Note::FixedItem { fraction })
}

/// How much longer an op takes on one item alone than on the stream, as a fraction.
fn difference_of_fixed_item(launch: &LaunchSamples) -> Option<f64> {
    let fixed = launch.fixed_item.as_ref()?;
    let batches = &launch.batches;
    let mut stream = median_of_kind(batches, 1, &batches.ticks)?;
    let mut alone = median_of_ticks(&fixed.short_ticks)?;
    if launch.batch_shape.slope {
        // The fixed cost of a batch cancels.
        stream = median_of_kind(batches, 2, &batches.ticks)? - stream;
        alone = median_of_ticks(&fixed.long_ticks)? - alone;
    }
    (stream > 0.0).then_some(alone / stream - 1.0)
}

/// Launches that had not warmed up, if they are too many to be chance.
pub(crate) fn cold(launches: &[LaunchSamples]) -> Option<Note> {
    let cold = count(launches, |launch| !launch.warmup.settled);
    let all = count(launches, |launch| !launch.batches.kind.is_empty());
    (cold > all / COLD_SHARE).then_some(Note::NotWarm { launches: cold })
}

/// Most launches, if threads still worked at their end. Those that sleep are a pool's or a runtime's, and disturb
/// nothing; one that is about to sleep, or to end, is found working now and then.
pub(crate) fn threads(launches: &[LaunchSamples]) -> Option<Note> {
    let working = count(launches, |launch| {
        matches!(launch.working_threads, Some(2..))
    });
    let is_most = 2 * working as usize > launches.len();
    is_most.then_some(Note::ThreadsLeft { launches: working })
}

fn count(launches: &[LaunchSamples], is_counted: fn(&LaunchSamples) -> bool) -> u32 {
    launches.iter().filter(|launch| is_counted(launch)).count() as u32
}

/// More threads than processors for them.
pub(crate) fn in_turns(launches: &[LaunchSamples]) -> Option<Note> {
    let teams = launches.iter().filter_map(|launch| launch.team.as_ref());
    let mut sizes = teams.filter_map(|team| Some((team.threads, team.processors?)));
    let (threads, processors) = sizes.find(|(threads, processors)| threads > processors)?;
    let clamped = |number| u32::try_from(number).unwrap_or(u32::MAX);
    Some(Note::Oversubscribed {
        threads: clamped(threads),
        processors: clamped(processors),
    })
}

/// Threads of which one takes clearly longer than another, in most batches of most launches.
pub(crate) fn uneven(launches: &[LaunchSamples]) -> Option<Note> {
    let fraction = median_of(launches.iter().filter_map(unevenness))?;
    (fraction > UNEVEN).then_some(Note::UnevenThreads { fraction })
}

/// By how much the slowest thread takes longer than the fastest, typically, in the longest batches.
fn unevenness(launch: &LaunchSamples) -> Option<f64> {
    let team = launch.team.as_ref()?;
    let kinds = &launch.batches.kind;
    let longest = kinds.iter().max()?;
    let threads = team.fastest_ticks.iter().zip(&team.slowest_ticks);
    let rows = kinds.iter().zip(threads);
    let usable = rows.filter(|(kind, (fastest, _))| *kind == longest && **fastest > 0);
    let fraction =
        |(_, (fastest, slowest)): (_, (&u64, &u64))| *slowest as f64 / *fastest as f64 - 1.0;
    median_of(usable.map(fraction))
}

/// Pages that ops access for the first time, if that takes a good part of their time in most launches.
pub(crate) fn pages(launches: &[LaunchSamples], frequency: &Frequency) -> Option<Note> {
    let per_op = in_most(launches, |launch| {
        let faults = launch.counted.page_faults?;
        let theirs = faults.saturating_sub(OWN_FAULTS);
        let elapsed = ticks_inside(&launch.batches) as f64 * frequency.nanos_per_tick();
        // Fewer than batches do not happen in every batch.
        let in_every_batch = theirs > 0 && theirs >= launch.batches.kind.len() as u64;
        let is_noted = in_every_batch && theirs as f64 * FAULT_NS >= FAULT_SHARE * elapsed;
        is_noted.then_some(faults)
    })?;
    Some(Note::PagesTouched { per_op })
}

/// Bytes that are written while the samples are taken, in most launches.
pub(crate) fn writes(launches: &[LaunchSamples]) -> Option<Note> {
    let per_op = in_most(launches, |launch| {
        launch.counted.written_bytes.filter(|bytes| *bytes > 0)
    })?;
    Some(Note::Writes { per_op })
}

/// The median over the launches of what they counted per op; `None` when half of all launches, or fewer, have
/// counted. Launches count only if all that runs between the beginning and the end of the samples is timed:
/// without inputs to prepare and without pauses.
fn in_most(
    launches: &[LaunchSamples],
    counted: impl Fn(&LaunchSamples) -> Option<u64>,
) -> Option<f64> {
    let per_op = |launch: &LaunchSamples| {
        let terminal = &launch.terminal;
        if terminal.starts_with("with_") || terminal.starts_with("iter_controlled") {
            return None;
        }
        let mut totals = Totals::default();
        totals.add(launch);
        Some(counted(launch)? as f64 / totals.ops.max(1) as f64)
    };
    let per_op: Vec<f64> = launches.iter().filter_map(per_op).collect();
    let all = count(launches, |launch| !launch.batches.kind.is_empty()) as usize;
    if 2 * per_op.len() <= all {
        return None;
    }
    median_of(per_op)
}

/// A processor that something else had for a good part of the time, all launches together.
pub(crate) fn waited(launches: &[LaunchSamples], frequency: &Frequency) -> Option<Note> {
    let fraction = waited_share(launches.iter(), frequency)?;
    (fraction >= WAITED).then_some(Note::Waited { fraction })
}

/// The share of the time of the samples that launches waited for a processor; `None` where the system does not say.
pub(super) fn waited_share<'a>(
    launches: impl Iterator<Item = &'a LaunchSamples>,
    frequency: &Frequency,
) -> Option<f64> {
    let (mut waited, mut sampling) = (0.0, 0.0);
    for launch in launches {
        let Some(own) = launch.counted.waited_ns else {
            continue;
        };
        let before = [
            launch.setup_ticks,
            launch.first_call_ticks,
            launch.warmup.ticks,
        ];
        let before = before.iter().chain(&launch.pilot.ticks);
        let ticks = before.fold(launch.launch_ticks, |left, ticks| {
            left.saturating_sub(*ticks)
        });
        waited += own as f64;
        sampling += ticks as f64 * frequency.nanos_per_tick();
    }
    // The two are not read at the same moments.
    (sampling > 0.0).then(|| waited.min(sampling) / sampling)
}

/// A correction for pauses that took more than there was.
pub(crate) fn overcorrected(launches: &[Launch]) -> Option<Note> {
    let is_too_large = launches.iter().any(|launch| launch.correction > 1.0);
    is_too_large.then_some(Note::CorrectionTooLarge)
}

/// Adds to both results of a case that ops overlap, where an op after a fence takes clearly longer; by the launches
/// that were not contended.
pub(crate) fn add_overlaps(
    time: &mut CaseResult,
    cycles: &mut CaseResult,
    launches: &[LaunchSamples],
    parts: &[ContendedParts],
) {
    let (Ok(ns), Ok(estimate)) = (time.estimate, cycles.estimate) else {
        return;
    };
    let quiet = launches
        .iter()
        .zip(parts)
        .filter(|(_, parts)| !parts.is_contended());
    let (free, excess) = quiet.filter_map(|(launch, _)| fenced(launch)).unzip();
    let (Ok(free), Ok(longer)) = (Sample::new(free), Sample::new(excess)) else {
        return;
    };
    let excess = median(&longer);
    let scatter = MAD_TO_STDDEV * mad(&longer) / (longer.len() as f64).sqrt();
    let alike = (median(&free) - estimate).abs() <= ALIKE.0 * estimate + ALIKE.1;
    let clear = excess - 3.0 * scatter > CLEARLY * estimate + FENCED;
    if alike && clear && longer.len() >= SCATTER && estimate > 0.0 {
        let alone = estimate + excess;
        cycles.notes.push(Note::Overlaps { alone });
        let alone = (1.0 + excess / estimate) * ns;
        time.notes.push(Note::Overlaps { alone });
    }
}

/// Cycles per op of a launch: without a fence, and how much longer with one, less what the fence adds to an
/// empty op. `None` where that was not read, or where ops inside an iteration overlap all the same.
fn fenced(launch: &LaunchSamples) -> Option<(f64, f64)> {
    let readings = launch.fenced.as_ref()?;
    if launch.ops_per_iteration != 1 || readings.ops == 0 {
        return None;
    }
    let core = CoreClock::new(launch.chain.as_ref()?)?;
    let cycles = core.typical * readings.ops as f64;
    let per_op = |long: &[u64], short: &[u64]| {
        Some((median_of_ticks(long)? - median_of_ticks(short)?) / cycles)
    };
    let fenced = per_op(&readings.long_ticks, &readings.short_ticks)?;
    let free = per_op(&readings.free_long_ticks, &readings.free_short_ticks)?;
    let empty = per_op(&readings.empty_long_ticks, &readings.empty_short_ticks)?;
    Some((free, fenced - empty - free))
}

/// Notes that cycles are of code that waits for memory: it touches more than a core's own caches hold, and
/// does not seem to follow the core's clock.
pub(crate) fn waits_for_memory(
    cycles: &CaseResult,
    time: &CaseResult,
    samples: &[LaunchSamples],
    launches: &[Launch],
    cache_bytes: u64,
) -> Option<Note> {
    let is_large = |launch: &&LaunchSamples| launch.touched_bytes >= Some(cache_bytes);
    let large = samples.iter().find(is_large)?;
    let touched_bytes = large.touched_bytes?;
    let (scatter_of_cycles, scatter_of_time) = (scatter(cycles)?, scatter(time)?);
    let call_ns = time.estimate.ok()? * large.ops_per_iteration as f64;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[f64]) -> Sample {
        Sample::new(values.to_vec()).unwrap()
    }

    #[test]
    fn only_outliers_are_slow() {
        let mut values = vec![100.0, 100.1, 99.9, 100.2, 99.8, 100.0, 100.1];
        assert_eq!(slow(&sample(&values)), None);
        values.push(104.0);
        assert_eq!(slow(&sample(&values)), None);
        values.push(161.0);
        let Some(Note::SlowLaunches { count, excess }) = slow(&sample(&values)) else {
            panic!("61 % were not noted");
        };
        assert_eq!(count, 1);
        assert!((excess - 0.609).abs() < 0.002, "{excess}");
        // A wide scatter has no outliers, and two values have no scatter.
        assert_eq!(slow(&sample(&[100.0, 130.0, 160.0, 80.0, 70.0])), None);
        assert_eq!(slow(&sample(&[100.0, 200.0])), None);
    }
}
