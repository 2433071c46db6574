//! What can be read off the visits of a case.

use tourbillon_coordinate::{Frequency, Rules, Tally, estimate};
use tourbillon_record::{CaseResult, Chain, Header, Metric, Run, Visit};
use tourbillon_stats::Confidence;

/// The rules by which a run made its results; `None` for a header that does not name them.
pub(super) fn rules(header: &Header) -> Option<Rules> {
    Some(Rules {
        frequency: Frequency::of(&header.clock)?,
        confidence: Confidence::new(header.settings.confidence).ok()?,
    })
}

/// The visits of a case, launch by launch.
pub(super) fn visits(run: &Run, case: &str) -> Vec<Visit> {
    let visits = run.visits.iter().filter(|visit| visit.case == case);
    let mut visits: Vec<Visit> = visits.cloned().collect();
    visits.sort_by_key(|visit| visit.launch);
    visits
}

/// What one visit alone says, per op.
pub(super) fn alone(visit: &Visit, metric: Metric, rules: &Rules) -> Option<f64> {
    let results = estimate(
        &visit.case,
        std::slice::from_ref(visit),
        &Tally::default(),
        rules,
    );
    let result = results.into_iter().find(|result| result.metric == metric)?;
    // A launch that cannot be told from nothing has no estimate, but a mean all the same.
    result.estimate.ok().or(result.mean)
}

/// Ticks per second over the cycles of the reference chain: the frequency of the core, in hertz.
pub(super) fn core_hz(chain: &Chain, tick_hz: f64) -> Option<f64> {
    let mean = |ticks: &[u64]| {
        let sum: f64 = ticks.iter().map(|&ticks| ticks as f64).sum();
        (!ticks.is_empty()).then(|| sum / ticks.len() as f64)
    };
    let ticks = mean(&chain.long_ticks)? - mean(&chain.short_ticks)?;
    let cycles = chain.long_cycles.checked_sub(chain.short_cycles)?;
    (ticks > 0.0).then(|| cycles as f64 / ticks * tick_hz)
}

/// Batches that were switched out or migrated; `None` where neither could be observed.
pub(super) fn labelled(visit: &Visit) -> Option<usize> {
    let labels = &visit.batches.labels;
    (!labels.is_empty()).then(|| labels.iter().filter(|label| **label != 0).count())
}

/// The results that the samples give now, to be held against those that were stored.
pub(super) fn recomputed(run: &Run, case: &str, rules: &Rules) -> Vec<CaseResult> {
    let failed = run.faults.iter().filter(|fault| fault.case == case).count();
    let tally = Tally {
        failed: u32::try_from(failed).unwrap_or(u32::MAX),
        // With a precision the interval was looked at on the way.
        looks: run.header.settings.precision.is_some(),
        ..Tally::default()
    };
    estimate(case, &visits(run, case), &tally, rules)
}
