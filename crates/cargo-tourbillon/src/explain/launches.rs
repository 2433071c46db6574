//! The launches of a case: whether each counts, its figures, and its conditions.

use std::collections::HashSet;

use tourbillon_analysis::{Contended, LaunchUse, Rules, Usage, used};
use tourbillon_present::{Table, number};
use tourbillon_record::{Absence, CaseResult, Fault, LaunchSamples, Run};
use tourbillon_report::{Figure, bytes, measured};

use super::steps;
use crate::screen::Page;

/// Adds a row for each launch, and what its memory batches touched; `again` are the recomputed results.
pub(super) fn push(
    page: &mut Page<'_>,
    run: &Run,
    launches: &[LaunchSamples],
    again: &[CaseResult],
    rules: &Rules,
) {
    let Some((main, case)) = again
        .first()
        .zip(launches.first().map(|launch| &launch.case))
    else {
        return;
    };
    let wall = launches.iter().all(|launch| launch.measured.is_none());
    let mut sheet = Table::new("launch")
        .right(["batches", if wall { "time" } else { "per op" }, "cycles/op"])
        .left(["use"])
        .right(["after", "core", "first call", "warm", "waited"]);
    let is_busy = main.estimate == Err(Absence::MachineBusy);
    let mut rows: Vec<(u32, Vec<String>)> = failed(run, case, launches);
    let uses = used(launches, rules);
    for (launch, launch_use) in launches.iter().zip(&uses) {
        let pilot = if launch.pilot_launch { " pilot" } else { "" };
        let since = run.header.started_unix_ns;
        let after = launch.started_unix_ns.saturating_sub(since) as f64 / 1e9;
        let figure = |value| measured(main, Figure::exact(value), page.style);
        let cells = [
            format!("{}{pilot}", launch.launch),
            launch.batches.ticks.len().to_string(),
            launch_use.estimate.map_or_else(String::new, figure),
            (launch_use.cycles).map_or_else(String::new, |value| Figure::exact(value).cycles()),
            usage_text(launch_use.usage, is_busy),
            number::fixed(after, 2) + " s",
            core_text(launch, launch_use),
            page.time(rules.frequency.nanos(launch.first_call_ticks) as f64),
            if launch.warmup.settled { "yes" } else { "no" }.to_owned(),
            steps::waited(launch),
        ];
        rows.push((launch.launch, cells.into()));
    }
    rows.sort_by_key(|(launch, _)| *launch);
    for (_, cells) in rows {
        sheet.push(cells);
    }
    page.line("Launches");
    page.table(sheet);
    let is_contended = |one: &LaunchUse| matches!(one.usage, Usage::Contended(_));
    if uses.iter().any(is_contended) {
        let text = "Contended launches do not count; their figures are of all of their rounds.";
        page.say("use: ", text);
    }
    touched(page, launches, rules);
    if let Some(text) = threads_text(launches) {
        page.say("threads: ", &text);
    }
    page.line("");
}

/// The threads that a body or its runtime left, of the launch with the most; `None` without any.
fn threads_text(launches: &[LaunchSamples]) -> Option<String> {
    let of_launch = |launch: &LaunchSamples| Some((launch.threads?, launch.working_threads));
    let (all, working) = launches.iter().filter_map(of_launch).max()?;
    let others = all.checked_sub(1).filter(|others| *others > 0)?;
    Some(match working {
        Some(working) => format!(
            "besides the measuring one there were up to {others} at the end, of which {} did not sleep",
            working.saturating_sub(1)
        ),
        None => format!("besides the measuring one there were up to {others} at the end"),
    })
}

/// Rows of the launches that failed before their samples were complete.
fn failed(run: &Run, case: &str, launches: &[LaunchSamples]) -> Vec<(u32, Vec<String>)> {
    let with_samples: HashSet<u32> = launches.iter().map(|one| one.launch).collect();
    let faults = run.faults.iter().filter(|fault| fault.case == *case);
    let row = |fault: &Fault| {
        let cells = [&fault.launch.to_string(), "", "", "", "failed"];
        (fault.launch, cells.map(str::to_owned).into())
    };
    faults
        .filter(|fault| !with_samples.contains(&fault.launch))
        .map(row)
        .collect()
}

/// Whether a launch counts, and if not, why; at most 31 columns.
fn usage_text(usage: Usage, is_busy: bool) -> String {
    match usage {
        // Of a busy machine there is no figure, so none is used.
        Usage::Used { .. } if is_busy => "quiet".to_owned(),
        Usage::Used { quiet, rounds } if quiet == rounds => "used".to_owned(),
        Usage::Used { quiet, rounds } => format!("used, {quiet} of {rounds} rounds"),
        Usage::Contended(Contended::AtStart) => "contended at its start".to_owned(),
        Usage::Contended(Contended::Rounds { quiet, rounds }) => {
            format!("contended, {quiet} of {rounds} rounds quiet")
        }
        Usage::Contended(Contended::Additions { excess }) => {
            format!("contended, additions +{}", number::percent(excess))
        }
        Usage::TooFewRounds => "too few rounds".to_owned(),
    }
}

/// The core's clock; nothing where no chain was read.
fn core_text(launch: &LaunchSamples, launch_use: &LaunchUse) -> String {
    match (&launch.chain, launch_use.core_hz) {
        (None, _) => String::new(),
        (Some(_), Some(hz)) => Figure::exact(hz).frequency(),
        (Some(_), None) => "unknown".to_owned(),
    }
}

/// What memory batches touched after the samples, if recorded.
fn touched(page: &mut Page<'_>, launches: &[LaunchSamples], rules: &Rules) {
    if let Some(touched) = launches.iter().find_map(|launch| launch.touched_bytes) {
        let cache = rules.core_cache_bytes.map_or_else(String::new, |cache| {
            format!("; the private cache of a core has {}", bytes(cache as f64))
        });
        let touched = bytes(touched as f64);
        let text = format!("{touched} by batches after the samples, in whole pages{cache}.");
        page.say("touched: ", &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_launch_has_a_word() {
        let texts = [
            Usage::Used {
                quiet: 60,
                rounds: 60,
            },
            Usage::Used {
                quiet: 52,
                rounds: 60,
            },
            Usage::Contended(Contended::AtStart),
            Usage::Contended(Contended::Rounds {
                quiet: 2,
                rounds: 60,
            }),
            Usage::Contended(Contended::Additions { excess: 0.021 }),
            Usage::TooFewRounds,
        ];
        let expected = [
            "used",
            "used, 52 of 60 rounds",
            "contended at its start",
            "contended, 2 of 60 rounds quiet",
            "contended, additions +2.1 %",
            "too few rounds",
        ];
        assert_eq!(texts.map(|usage| usage_text(usage, false)), expected);
        assert_eq!(usage_text(texts[0], true), "quiet");
    }
}
