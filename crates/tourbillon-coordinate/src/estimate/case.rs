use tourbillon_record::{Absence, CaseResult, Metric, Note, Scope, Visit};
use tourbillon_stats::{Confidence, LAUNCHES, Sample, looks, mad, mean, median, stddev};

use super::interval::covered;
use super::launch::{Launch, iterations_of_short};
use super::notes;
use super::systematic::{Resolution, systematic};
use crate::Frequency;

/// Name and version of the method by which results are made from visits.
pub const METHOD: &str = "slope-medians-1";

/// What holds for all results of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Ticks per second of the measuring clock.
    pub frequency: Frequency,
    /// Confidence of the intervals.
    pub confidence: Confidence,
}

/// What happened to a case besides its visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Visits that failed.
    pub failed: u32,
    /// Launches asked for, when the budget allowed fewer.
    pub shortened_from: Option<u32>,
    /// Whether the interval was looked at while launches were still being made, so that its error
    /// is shared between the looks.
    pub looks: bool,
}

/// Makes the results of a case from its visits: its time and, where the core's clock was read
/// beside it, its cycles. One result without an estimate when there is nothing to make it from.
///
/// A figure does not depend on the order of the visits.
pub fn estimate(case: &str, visits: &[Visit], tally: &Tally, rules: &Rules) -> Vec<CaseResult> {
    let of = |metric| {
        let launches: Vec<Launch> = visits
            .iter()
            .filter_map(|visit| Launch::new(visit, metric, &rules.frequency))
            .collect();
        made(case, metric, visits, &launches, tally, rules)
    };
    let Some(time) = of(Metric::Time) else {
        let mut result = blank(case, Metric::Time, visits, tally, rules);
        result.estimate = Err(match (visits.len(), tally.failed) {
            (0, 0) => Absence::NotReached,
            _ => Absence::Failed,
        });
        return vec![result];
    };
    std::iter::once(time).chain(of(Metric::Cycles)).collect()
}

/// A result in one metric; `None` without a launch that says something about it.
fn made(
    case: &str,
    metric: Metric,
    visits: &[Visit],
    launches: &[Launch],
    tally: &Tally,
    rules: &Rules,
) -> Option<CaseResult> {
    let estimates = Sample::new(launches.iter().map(|launch| launch.estimate).collect()).ok()?;
    let centre = median(&estimates);
    let asked = asked_confidence(tally, rules);
    let covered = covered(&estimates, launches, asked);
    let systematic = systematic(centre, launches, metric, &rules.frequency);
    let lower = covered.interval.map(|interval| interval.lower - systematic);
    let upper = covered.interval.map(|interval| interval.upper + systematic);
    let resolution = Resolution::of(launches, asked);
    let overcorrected = notes::overcorrected(launches);
    // A correction that took too much leaves less than nothing, which bounds nothing.
    let below = resolution.filter(|resolution| {
        overcorrected.is_none() && resolution.hides(centre, lower.unwrap_or(centre - systematic))
    });
    let spread = match covered.scope {
        Scope::Processes => estimates.clone(),
        Scope::Process => {
            let rounds = launches.iter().flat_map(|launch| launch.rounds.as_slice());
            Sample::new(rounds.copied().collect()).ok()?
        }
    };
    let typical = |of: &dyn Fn(&Launch) -> Option<f64>| {
        let values = Sample::new(launches.iter().filter_map(of).collect()).ok()?;
        Some(median(&values))
    };
    let mut result = CaseResult {
        estimate: Ok(centre),
        lower,
        upper,
        // The looks together have the confidence of the run, whatever a single one has.
        confidence: covered.interval.map(|interval| match covered.scope {
            Scope::Processes if tally.looks => rules.confidence.level(),
            _ => interval.confidence,
        }),
        scope: covered.scope,
        systematic,
        launches: launches.len() as u32,
        mean: Some(mean(&spread)),
        stddev: stddev(&spread),
        mad: Some(mad(&spread)),
        fixed_cost: typical(&|launch| launch.fixed_cost),
        first_call: typical(&|launch| Some(launch.first_call)),
        resolution: resolution.map(|resolution| resolution.typical),
        ..blank(case, metric, visits, tally, rules)
    };
    if covered.scope == Scope::Process {
        let launches = result.launches;
        result.notes.push(Note::FewLaunches { launches });
    }
    if let Some(below) = below {
        result.estimate = Err(Absence::BelowResolution);
        result.lower = None;
        // Whatever cannot be told from nothing is at most this long.
        result.upper = Some(upper.unwrap_or(centre + systematic).max(below.typical));
    } else {
        // About a body that cannot be seen, these would be about the noise.
        result.notes.extend(notes::skewed(&result));
        result.notes.extend(notes::slow(&estimates));
        result.notes.extend(notes::curved(launches));
    }
    result.notes.extend(overcorrected);
    Some(result)
}

/// The confidence to ask of a single interval: more, where it is one of several looks.
fn asked_confidence(tally: &Tally, rules: &Rules) -> Confidence {
    let [first, ..] = looks(LAUNCHES, rules.confidence);
    if tally.looks {
        first.confidence
    } else {
        rules.confidence
    }
}

/// A result without figures: what was measured, and what is to be said about it in any case.
fn blank(case: &str, metric: Metric, visits: &[Visit], tally: &Tally, rules: &Rules) -> CaseResult {
    let mut result = CaseResult {
        case: case.to_owned(),
        metric,
        estimate: Err(Absence::Failed),
        lower: None,
        upper: None,
        confidence: None,
        scope: Scope::Process,
        systematic: 0.0,
        launches: 0,
        samples: 0,
        mean: None,
        stddev: None,
        mad: None,
        fixed_cost: None,
        first_call: None,
        resolution: None,
        ops: 0,
        iterations: 0,
        elapsed_ns: 0.0,
        method: METHOD.to_owned(),
        notes: Vec::new(),
        unknown: Vec::new(),
    };
    for visit in visits {
        let lengths = visit.batches.kind.iter().map(|kind| u64::from(*kind));
        let iterations = lengths
            .fold(0, u64::saturating_add)
            .saturating_mul(iterations_of_short(visit));
        let ticks = visit.batches.ticks.iter().map(|ticks| *ticks as f64);
        result.samples += visit.batches.kind.iter().filter(|kind| **kind > 0).count() as u64;
        result.iterations = result.iterations.saturating_add(iterations);
        result.ops = result
            .ops
            .saturating_add(iterations.saturating_mul(visit.ops_per_iteration));
        result.elapsed_ns += ticks.sum::<f64>() * rules.frequency.nanos_per_tick();
    }
    let shortened = |asked| Note::Shortened { asked };
    result.notes.extend(tally.shortened_from.map(shortened));
    if tally.failed > 0 {
        result.notes.push(Note::FailedLaunches {
            count: tally.failed,
        });
    }
    result.notes.extend(notes::cold(visits));
    result.notes.extend(notes::threads(visits));
    result
}
