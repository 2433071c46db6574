use tourbillon_record::{CaseResult, Note, Visit};
use tourbillon_stats::{MAD_TO_STDDEV, Sample, mad, median};

use super::batch::{Measured, median_of, median_of_kind, median_of_ticks, sample_of, ticks_inside};
use super::launch::{Figure, Launch, values};
use crate::Frequency;

/// Standard deviations (estimated robustly) from the median at which a launch stands apart.
const APART: f64 = 5.0;
/// Fraction of the median at which it does.
const APART_FRACTION: f64 = 0.05;
/// Curvature that is worth a word.
const CURVED: f64 = 0.02;
/// Another cost on one item alone that is worth a word.
const ANOTHER_COST: f64 = 0.1;
/// How much longer than another a thread takes before that is worth a word.
const UNEVEN: f64 = 0.2;
/// Launches from which a scatter can be told.
const SCATTER: usize = 3;
/// What a page costs that is touched for the first time, in nanoseconds, about: the system finds it,
/// clears it and enters it (docs/explanation/methodology.md, Findings).
const FAULT_NS: f64 = 500.0;
/// Share of the time from which that is worth a word.
const FAULT_SHARE: f64 = 0.01;
/// Pages that sampling may touch for itself in a visit: for what it writes down.
const OWN_FAULTS: u64 = 16;
/// Share of the time that something else had the processor from which that is worth a word.
const WAITED: f64 = 0.05;
/// One launch of so many may be disturbed while it warms up.
const COLD_SHARE: u32 = 4;

/// A mean outside of the interval of the median.
pub(crate) fn skewed(result: &CaseResult) -> Option<Note> {
    match (result.mean, result.lower, result.upper) {
        (Some(mean), Some(lower), Some(upper)) if mean < lower || mean > upper => {
            Some(Note::Skewed)
        }
        _ => None,
    }
}

/// Launches that were much slower than the others.
pub(crate) fn slow(estimates: &Sample) -> Option<Note> {
    let centre = median(estimates);
    let limit = (APART * MAD_TO_STDDEV * mad(estimates)).max(APART_FRACTION * centre);
    let mut count = 0;
    for value in estimates.as_slice() {
        count += u32::from(value - centre > limit);
    }
    (count > 0 && centre > 0.0 && estimates.len() >= SCATTER).then(|| Note::SlowLaunches {
        count,
        excess: estimates.max() / centre - 1.0,
    })
}

/// Time that does not grow in proportion to the iterations, beyond the scatter between launches.
pub(crate) fn curved(launches: &[Launch]) -> Option<Note> {
    let fractions = values(launches, Figure::Curvature)?;
    let fraction = median(&fractions);
    (fractions.len() >= SCATTER && stands_out(fraction, CURVED, &fractions))
        .then_some(Note::Curvature { fraction })
}

/// Whether the median of a sample is beyond a limit, and beyond what its scatter may do.
#[inline(never)]
fn stands_out(median: f64, limit: f64, fractions: &Sample) -> bool {
    let scatter = MAD_TO_STDDEV * mad(fractions) / (fractions.len() as f64).sqrt();
    median.abs() > limit.max(3.0 * scatter)
}

/// One item alone that takes another time than the stream of items, beyond the scatter between
/// launches.
pub(crate) fn fixed_item(visits: &[Visit]) -> Option<Note> {
    let mut fractions = Vec::new();
    for visit in visits {
        if let Some(fraction) = difference_of_fixed_item(visit) {
            fractions.push(fraction);
        }
    }
    let fractions = sample_of(fractions)?;
    let fraction = median(&fractions);
    stands_out(fraction, ANOTHER_COST, &fractions).then_some(Note::FixedItem { fraction })
}

/// How much longer an op takes on one item alone, as a fraction of what it takes on the stream.
#[inline(never)]
fn difference_of_fixed_item(visit: &Visit) -> Option<f64> {
    let fixed = visit.fixed_item.as_ref()?;
    let batches = &visit.batches;
    let mut stream = median_of_kind(batches, 1, &batches.ticks)?;
    let mut alone = median_of_ticks(&fixed.short_ticks)?;
    if visit.length.slope {
        // What a batch costs besides its ops cancels.
        stream = median_of_kind(batches, 2, &batches.ticks)? - stream;
        alone = median_of_ticks(&fixed.long_ticks)? - alone;
    }
    (stream > 0.0).then_some(alone / stream - 1.0)
}

/// Launches in which warming up had not settled, when they are too many to be chance.
pub(crate) fn cold(visits: &[Visit]) -> Option<Note> {
    let (mut launches, mut all) = (0, 0);
    for visit in visits {
        launches += u32::from(!visit.warmup.settled);
        all += u32::from(!visit.batches.kind.is_empty());
    }
    (launches > all / COLD_SHARE).then_some(Note::NotWarm { launches })
}

/// Launches at whose end threads were still running.
pub(crate) fn threads(visits: &[Visit]) -> Option<Note> {
    let mut launches = 0;
    for visit in visits {
        launches += u32::from(matches!(visit.threads, Some(2..)));
    }
    (launches > 0).then_some(Note::ThreadsLeft { launches })
}

/// More threads than there are processors for them.
pub(crate) fn in_turns(visits: &[Visit]) -> Option<Note> {
    for visit in visits {
        if let Some(team) = &visit.team
            && let Some(processors) = team.processors
            && team.threads > processors
        {
            return Some(Note::ThreadsInTurns {
                threads: u32::try_from(team.threads).unwrap_or(u32::MAX),
                processors: u32::try_from(processors).unwrap_or(u32::MAX),
            });
        }
    }
    None
}

/// Threads of which one takes clearly longer than another, in most batches of most launches.
pub(crate) fn uneven(visits: &[Visit]) -> Option<Note> {
    let mut fractions = Vec::new();
    for visit in visits {
        if let Some(fraction) = unevenness(visit) {
            fractions.push(fraction);
        }
    }
    let fraction = median_of(fractions)?;
    (fraction > UNEVEN).then_some(Note::UnevenThreads { fraction })
}

/// By how much the slowest thread takes longer than the fastest, typically, in the longest batches.
#[inline(never)]
fn unevenness(visit: &Visit) -> Option<f64> {
    let team = visit.team.as_ref()?;
    let (fastest, slowest) = (&team.fastest_ticks, &team.slowest_ticks);
    let kinds = &visit.batches.kind;
    let mut longest = 0;
    for kind in kinds {
        longest = longest.max(*kind);
    }
    let mut fractions = Vec::new();
    for index in 0..kinds.len().min(fastest.len()).min(slowest.len()) {
        if kinds[index] == longest && fastest[index] > 0 {
            fractions.push(slowest[index] as f64 / fastest[index] as f64 - 1.0);
        }
    }
    median_of(fractions)
}

/// Pages that ops touch for the first time, when that takes a good part of their time in most
/// launches.
pub(crate) fn pages(visits: &[Visit], frequency: &Frequency) -> Option<Note> {
    let per_op = in_most(visits, frequency, faults)?;
    Some(Note::PagesTouched { per_op })
}

/// Pages that a visit touched for the first time, where that took a good part of its time.
fn faults(visit: &Visit, frequency: &Frequency) -> Option<u64> {
    let faults = visit.counted.page_faults?;
    let theirs = faults.saturating_sub(OWN_FAULTS);
    let elapsed = ticks_inside(&visit.batches) as f64 * frequency.nanos_per_tick();
    // Fewer than batches do not happen in every batch.
    let steady = theirs > 0 && theirs >= visit.batches.kind.len() as u64;
    (steady && theirs as f64 * FAULT_NS >= FAULT_SHARE * elapsed).then_some(faults)
}

/// Bytes that are written while the samples are taken, when that happens in most launches.
pub(crate) fn writes(visits: &[Visit], frequency: &Frequency) -> Option<Note> {
    let per_op = in_most(visits, frequency, written)?;
    Some(Note::Writes { per_op })
}

/// Bytes that a visit has written, where it has.
fn written(visit: &Visit, _: &Frequency) -> Option<u64> {
    match visit.counted.written_bytes {
        Some(0) => None,
        written => written,
    }
}

/// A processor that something else had for a good part of the time, all launches together.
#[inline(never)]
pub(crate) fn waited(visits: &[Visit], frequency: &Frequency) -> Option<Note> {
    let (mut waited, mut sampling) = (0.0, 0.0);
    for visit in visits {
        let Some(own) = visit.counted.waited_ns else {
            continue;
        };
        let mut ticks = visit.visit_ticks;
        // What was before the samples.
        let before = [
            visit.setup_ticks,
            visit.first_call_ticks,
            visit.warmup.ticks,
        ];
        for before in &before {
            ticks = ticks.saturating_sub(*before);
        }
        for before in &visit.pilot.ticks {
            ticks = ticks.saturating_sub(*before);
        }
        waited += own as f64;
        sampling += ticks as f64 * frequency.nanos_per_tick();
    }
    // The two are not read at the same moments.
    let fraction = waited.min(sampling) / sampling;
    (fraction >= WAITED).then_some(Note::Waited { fraction })
}

/// Whether all that runs between the samples' beginning and end is timed: no inputs are prepared and
/// no clock is paused, so that what the system counted meanwhile was counted in the ops.
fn all_timed(visit: &Visit) -> bool {
    let terminal = visit.terminal.as_bytes();
    !terminal.starts_with(b"with_") && !terminal.starts_with(b"iter_controlled")
}

/// The median over the launches of what they counted per op; `None` when no more than half of all
/// launches have counted.
#[inline(never)]
fn in_most(
    visits: &[Visit],
    frequency: &Frequency,
    counted: fn(&Visit, &Frequency) -> Option<u64>,
) -> Option<f64> {
    let (mut per_op, mut all) = (Vec::new(), 0);
    for visit in visits {
        all += usize::from(!visit.batches.kind.is_empty());
        if all_timed(visit)
            && let Some(count) = counted(visit, frequency)
        {
            let mut measured = Measured::default();
            measured.add(visit);
            per_op.push(count as f64 / measured.ops.max(1) as f64);
        }
    }
    if 2 * per_op.len() <= all {
        return None;
    }
    median_of(per_op)
}

/// A correction for pauses that took more than there was.
pub(crate) fn overcorrected(launches: &[Launch]) -> Option<Note> {
    for launch in launches {
        if launch.correction > 1.0 {
            return Some(Note::CorrectionTooLarge);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[f64]) -> Sample {
        Sample::new(values.to_vec()).unwrap()
    }

    #[test]
    fn only_what_stands_apart_is_slow() {
        let mut values = vec![100.0, 100.1, 99.9, 100.2, 99.8, 100.0, 100.1];
        assert_eq!(slow(&sample(&values)), None);
        values.push(104.0);
        assert_eq!(slow(&sample(&values)), None);
        values.push(161.0);
        let Some(Note::SlowLaunches { count, excess }) = slow(&sample(&values)) else {
            panic!("61 % went unnoticed");
        };
        assert_eq!(count, 1);
        assert!((excess - 0.609).abs() < 0.002, "{excess}");
        // A wide scatter has no outliers, and two values have no scatter.
        assert_eq!(slow(&sample(&[100.0, 130.0, 160.0, 80.0, 70.0])), None);
        assert_eq!(slow(&sample(&[100.0, 200.0])), None);
    }
}
