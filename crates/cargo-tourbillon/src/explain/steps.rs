//! Values computed from the launches of a case: figures, the reference chain, threads.

use tourbillon_analysis::{Rules, Tally, estimate};
use tourbillon_present::Table;
use tourbillon_present::figure::known_time;
use tourbillon_present::number::{self, percent};
use tourbillon_record::{CaseResult, Chain, LaunchSamples, Measured, Run, total};
use tourbillon_report::{Figure, Style, escape};
use tourbillon_stats::{Sample, median};

use crate::screen::Page;

/// The launches of a case, by their numbers.
pub(super) fn launches(run: &Run, case: &str) -> Vec<LaunchSamples> {
    let mut launches: Vec<LaunchSamples> = run
        .launches
        .iter()
        .filter(|launch| launch.case == case)
        .cloned()
        .collect();
    launches.sort_by_key(|samples| samples.launch);
    launches
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
             every {}",
            known_time(Some(step_ns as f64), &Style::default())
        ),
        None if measured.own.is_some() => "the sum of all batches divided by their ops".to_owned(),
        None => "like wall time, from the medians of short and long batches".to_owned(),
    };
    format!("{what}; a launch: {how}. Batch lengths, first calls and warm-up are wall time.")
}

/// How long other programs had the processor while the samples of a launch were taken.
pub(super) fn waited(launch: &LaunchSamples) -> String {
    match launch.counted.waited_ns {
        Some(waited) => known_time(Some(waited as f64), &Style::default()),
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
    estimate(case, &launches(run, case), &tally, rules)
}

/// Whether recomputed figures are those of the record.
pub(super) fn agreement(stored: &str, method: &str, same: bool) -> String {
    if stored != method {
        return format!("computed by {stored}; this version has {method}");
    }
    let agreement = if same { "are the same" } else { "differ" };
    format!("{stored}; recomputed figures {agreement}")
}

/// A value of a result in its unit.
pub(super) fn shown(page: &Page<'_>, result: &CaseResult, value: f64) -> String {
    tourbillon_report::measured(result, Figure::exact(value), page.style)
}

/// The interval of a result, and its confidence: `, between 1.9 ns and 2.1 ns at 99 %`.
pub(super) fn bounds(page: &Page<'_>, result: &CaseResult) -> String {
    let shown = |value: f64| shown(page, result, value);
    let mut text = match (result.lower, result.upper) {
        (Some(lower), Some(upper)) => format!(", between {} and {}", shown(lower), shown(upper)),
        (_, Some(upper)) => format!(", at most {}", shown(upper)),
        _ => String::new(),
    };
    if let Some(confidence) = result.confidence {
        text += &format!(" at {}", number::confidence(confidence));
    }
    text
}

/// Adds the line of a stored figure, and whether the samples still give it.
pub(super) fn push_figure(
    page: &mut Page<'_>,
    result: &CaseResult,
    again: &[CaseResult],
    text: &str,
) {
    let same = again.iter().find(|other| other.metric == result.metric);
    let verdict = match same {
        Some(other) => agreement(&result.method, &other.method, agree(other, result)),
        None => "recomputing gives no figure".to_owned(),
    };
    let lead = format!("{}  ", page.escaped(result.metric_name()));
    page.say(&lead, &format!("{text} ({verdict})"));
}

/// Whether two results are the same to the last bit, and also in waiting for memory and overlap.
fn agree(one: &CaseResult, other: &CaseResult) -> bool {
    (one.estimate, one.lower, one.upper) == (other.estimate, other.lower, other.upper)
        && one.waits_for_memory() == other.waits_for_memory()
        && one.overlaps() == other.overlaps()
}

/// Adds how often the chain was read and for how long; nothing without readings.
pub(super) fn push_chain(page: &mut Page<'_>, launches: &[LaunchSamples]) {
    let read: Vec<(&Chain, u64, u64)> = launches
        .iter()
        .filter_map(|launch| {
            let chain = launch.chain.as_ref()?;
            let (read, measured) = (ticks(chain), measured(launch));
            (read > 0 && measured >= read).then_some((chain, read, measured))
        })
        .collect();
    let readings = || read.iter().map(|(chain, ..)| chain.at.len());
    let (Some(fewest), Some(most)) = (readings().min(), readings().max()) else {
        return;
    };
    let often = if fewest == most {
        fewest.to_string()
    } else {
        format!("{fewest} to {most}")
    };
    let share = |read: u64, measured: u64| read as f64 / measured as f64;
    let shares = read
        .iter()
        .map(|(_, read, measured)| share(*read, *measured));
    let all = share(
        total(read.iter().map(|(_, read, _)| *read)),
        total(read.iter().map(|(.., measured)| *measured)),
    );
    let summary = format!(
        "{} and additions, read {often} times per launch: {} of the time after the first call, at most {} of a launch.",
        page.escaped(&read[0].0.of),
        percent(all),
        percent(shares.fold(0.0, f64::max)),
    );
    page.say("Reference chain: ", &summary);
    page.line("");
}

/// Ticks of all readings.
fn ticks(chain: &Chain) -> u64 {
    let additions = chain
        .additions
        .iter()
        .flat_map(|of| [&of.short_ticks, &of.long_ticks]);
    let columns = [&chain.short_ticks, &chain.long_ticks]
        .into_iter()
        .chain(additions);
    columns
        .flatten()
        .fold(0, |sum, &ticks| sum.saturating_add(ticks))
}

/// Ticks from the first call to the end of a launch: pilot, warm-up and sampling.
fn measured(launch: &LaunchSamples) -> u64 {
    let before = launch.setup_ticks.saturating_add(launch.first_call_ticks);
    launch.launch_ticks.saturating_sub(before)
}

/// Adds a table with a row for each launch; nothing for a single thread.
pub(super) fn push_threads(page: &mut Page<'_>, launches: &[LaunchSamples], rules: &Rules) {
    let Some(team) = launches.iter().find_map(|launch| launch.team.as_ref()) else {
        return;
    };
    let mut sheet = Table::new("launch").right(["fastest", "slowest", "starts apart"]);
    for launch in launches {
        let Some(team) = &launch.team else { continue };
        let typical = |column: &[u64]| match of_longest(launch, column) {
            Some(ticks) => page.time(ticks * 1e9 / rules.frequency.hz() as f64),
            None => String::new(),
        };
        sheet.push([
            launch.launch.to_string(),
            typical(&team.fastest_ticks),
            typical(&team.slowest_ticks),
            typical(&team.start_spread_ticks),
        ]);
    }
    page.line("Threads");
    page.table(sheet);
    let processors = team.processors.map_or_else(String::new, |processors| {
        format!(", processors: {processors}")
    });
    let summary = format!(
        "Threads: {}{processors}. Each value is the median over the longest batches of the launch; a batch \
         lasts from the first start of a thread to the last end.",
        team.threads
    );
    page.say("", &summary);
    page.line("");
}

/// The median of a column over the longest batches.
fn of_longest(launch: &LaunchSamples, column: &[u64]) -> Option<f64> {
    let kinds = &launch.batches.kind;
    let longest = kinds.iter().max()?;
    let mut ticks = Vec::new();
    for (kind, batch) in kinds.iter().zip(column) {
        if kind == longest {
            ticks.push(*batch);
        }
    }
    Some(median(&Sample::from_ticks(&ticks).ok()?))
}
