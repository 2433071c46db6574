//! Values computed from the visits of a case.

use tourbillon_analysis::{Frequency, Rules, Tally, estimate};
use tourbillon_record::{CaseResult, Chain, Header, Measured, Metric, Run, Visit};
use tourbillon_report::escape;
use tourbillon_stats::Confidence;

/// The rules of a run's results; `None` if its header does not name them.
pub(super) fn rules(header: &Header) -> Option<Rules> {
    Some(Rules {
        frequency: Frequency::of(&header.clock)?,
        confidence: Confidence::new(header.settings.confidence).ok()?,
        core_cache_bytes: header.core_cache_bytes(),
    })
}

/// The visits of a case in the order of launches.
pub(super) fn visits(run: &Run, case: &str) -> Vec<Visit> {
    let visits = run.visits.iter().filter(|visit| visit.case == case);
    let mut visits: Vec<Visit> = visits.cloned().collect();
    visits.sort_by_key(|visit| visit.launch);
    visits
}

/// The main metric of one visit, per op.
pub(super) fn main(visit: &Visit, rules: &Rules) -> Option<(CaseResult, f64)> {
    alone(visit, rules, Metric::is_main)
}

/// The cycles of one visit, per op.
pub(super) fn cycles(visit: &Visit, rules: &Rules) -> Option<f64> {
    let (_, cycles) = alone(visit, rules, |metric| metric == Metric::Cycles)?;
    Some(cycles)
}

fn alone(
    visit: &Visit,
    rules: &Rules,
    wanted: impl Fn(Metric) -> bool,
) -> Option<(CaseResult, f64)> {
    let results = estimate(
        &visit.case,
        std::slice::from_ref(visit),
        &Tally::default(),
        rules,
    );
    let result = results.into_iter().find(|result| wanted(result.metric))?;
    // Below the resolution there is a mean but no estimate.
    let value = result.estimate.ok().or(result.mean)?;
    Some((result, value))
}

/// What was measured instead of wall time, and how a launch's figure is computed.
pub(super) fn measure(measured: &Measured) -> String {
    let what = match &measured.own {
        Some(own) => format!(
            "{}, a number that the body returned",
            escape(&own.name, true)
        ),
        None => measured.metric.name().replace('_', " ") + " of all threads of the process",
    };
    let how = match measured.step_ns {
        Some(step_ns) => format!(
            "the sum of all batches divided by their ops, because the system updates this time only \
             every {:.1} ms",
            step_ns as f64 / 1e6
        ),
        None if measured.own.is_some() => "the sum of all batches divided by their ops".to_owned(),
        None => "like wall time, from the medians of short and long batches".to_owned(),
    };
    format!("{what}; a launch: {how}. Batch lengths, first calls and warm-up are wall time.")
}

/// The frequency of the core in hertz, from the reference chain.
pub(super) fn core_hz(chain: &Chain, tick_hz: f64) -> Option<f64> {
    let mean = |ticks: &[u64]| {
        let sum: f64 = ticks.iter().map(|&ticks| ticks as f64).sum();
        (!ticks.is_empty()).then(|| sum / ticks.len() as f64)
    };
    let ticks = mean(&chain.long_ticks)? - mean(&chain.short_ticks)?;
    let cycles = chain.long_cycles.checked_sub(chain.short_cycles)?;
    (ticks > 0.0).then(|| cycles as f64 / ticks * tick_hz)
}

/// How long other programs had the processor while the samples of a visit were taken.
pub(super) fn waited(visit: &Visit) -> String {
    match visit.counted.waited_ns {
        Some(waited) => format!("{:.1} ms", waited as f64 / 1e6),
        None => "unknown".to_owned(),
    }
}

/// The results recomputed from the samples.
pub(super) fn recomputed(run: &Run, case: &str, rules: &Rules) -> Vec<CaseResult> {
    let failed = run.faults.iter().filter(|fault| fault.case == case).count();
    let tally = Tally {
        failed: u32::try_from(failed).unwrap_or(u32::MAX),
        // A run with a precision examined the interval several times.
        looks: run.header.settings.precision.is_some(),
        ..Tally::default()
    };
    estimate(case, &visits(run, case), &tally, rules)
}
