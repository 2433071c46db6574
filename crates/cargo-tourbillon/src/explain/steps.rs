//! Values computed from the visits of a case: launches, the reference chain, threads.

use tourbillon_analysis::{Frequency, Rules, Tally, estimate};
use tourbillon_record::{CaseResult, Chain, Header, Measured, Metric, Run, Team, Visit};
use tourbillon_report::{Figure, Style, escape};
use tourbillon_stats::{Confidence, Sample, median};

use crate::screen::paragraph;
use crate::table::Sheet;

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

/// Adds how often the chain was read and for how long; nothing without readings.
pub(super) fn push_chain(text: &mut String, visits: &[Visit], style: &Style) {
    let mut readings = Vec::new();
    let mut shares = Vec::new();
    let (mut of_chain, mut of_all) = (0, 0);
    let mut made_of = "";
    for visit in visits {
        let Some(chain) = &visit.chain else { continue };
        let (read, measured) = (ticks(chain), measured(visit));
        if measured < read || read == 0 {
            continue;
        }
        made_of = &chain.of;
        readings.push(chain.at.len());
        shares.push(read as f64 / measured as f64);
        of_chain += read;
        of_all += measured;
    }
    let (Some(fewest), Some(most)) = (readings.iter().min(), readings.iter().max()) else {
        return;
    };
    let largest = shares.iter().copied().fold(0.0, f64::max);
    let often = if fewest == most {
        fewest.to_string()
    } else {
        format!("{fewest} to {most}")
    };
    let summary = format!(
        "{} and additions, read {often} times per launch: {:.1} % of the time after the first call, \
         at most {:.1} % of a launch.",
        escape(made_of, style.unicode),
        100.0 * of_chain as f64 / of_all as f64,
        100.0 * largest,
    );
    paragraph(text, "Reference chain: ", &summary, style);
    text.push('\n');
}

/// Ticks of all readings.
fn ticks(chain: &Chain) -> u64 {
    let mut columns = vec![&chain.short_ticks, &chain.long_ticks];
    if let Some(additions) = &chain.additions {
        columns.extend([&additions.short_ticks, &additions.long_ticks]);
    }
    let readings = columns.into_iter().flatten();
    readings.fold(0, |sum, &ticks| sum.saturating_add(ticks))
}

/// Ticks from the first call to the end of a visit: pilot, warm-up and sampling.
fn measured(visit: &Visit) -> u64 {
    let before = visit.setup_ticks.saturating_add(visit.first_call_ticks);
    visit.visit_ticks.saturating_sub(before)
}

/// Adds a table with a row for each launch; nothing for a single thread.
pub(super) fn push_threads(text: &mut String, visits: &[Visit], rules: &Rules, style: &Style) {
    let Some(team) = visits.iter().find_map(|visit| visit.team.as_ref()) else {
        return;
    };
    text.push_str("Threads\n");
    let mut sheet = Sheet::new("launch").right(["fastest", "slowest", "starts apart"]);
    for visit in visits {
        let Some(team) = &visit.team else { continue };
        let typical = |column: &[u64]| match of_longest(visit, column) {
            Some(ticks) => Figure::exact(ticks * 1e9 / rules.frequency.hz() as f64).time(style),
            None => String::new(),
        };
        sheet.row([
            visit.launch.to_string(),
            typical(&team.fastest_ticks),
            typical(&team.slowest_ticks),
            typical(&team.apart_ticks),
        ]);
    }
    text.push_str(&sheet.render(style));
    let summary = format!(
        "{}. Each value is the median over the longest batches of the launch; a batch lasts from the \
         first start of a thread to the last end.",
        how_many(team)
    );
    paragraph(text, "", &summary, style);
    text.push('\n');
}

fn how_many(team: &Team) -> String {
    match team.processors {
        Some(processors) => format!("Threads: {}, processors: {processors}", team.threads),
        None => format!("Threads: {}", team.threads),
    }
}

/// The median of a column over the longest batches.
fn of_longest(visit: &Visit, column: &[u64]) -> Option<f64> {
    let kinds = &visit.batches.kind;
    let longest = kinds.iter().max()?;
    let of_them = kinds.iter().zip(column);
    let ticks: Vec<u64> = of_them
        .filter(|(kind, _)| *kind == longest)
        .map(|(_, ticks)| *ticks)
        .collect();
    Some(median(&Sample::from_ticks(&ticks).ok()?))
}
