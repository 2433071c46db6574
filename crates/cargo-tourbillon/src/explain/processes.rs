//! How the figures of a command were computed.

use tourbillon_analysis::Rules;
use tourbillon_commands::estimate;
use tourbillon_present::Table;
use tourbillon_present::figure::known_time;
use tourbillon_record::{CaseResult, CommandLine, Run};

use super::steps;
use crate::screen::Page;

/// Most processes that are listed.
const SHOWN: usize = 40;

/// Adds how the command was started, its processes, and its figures recomputed from them.
pub(super) fn push(page: &mut Page<'_>, run: &Run, id: &str) {
    let case = run.cases.iter().find(|case| case.id == id);
    if let Some(command) = case.and_then(|case| case.command.as_deref()) {
        started(page, command);
    }
    let mut samples = run.rounds.iter().filter_map(|rounds| {
        let arm = rounds.cases.iter().position(|case| case == id)?;
        Some((rounds, arm, rounds.processes.as_deref()?))
    });
    let (Some((rounds, arm, processes)), Some(rules)) = (samples.next(), Rules::of(&run.header))
    else {
        page.say("", "There are no samples in this record.");
        return;
    };
    let mut sheet = Table::new("round").right(["time", "user", "kernel", "peak memory", "exit"]);
    let own: Vec<usize> = rounds
        .arm
        .iter()
        .enumerate()
        .filter(|(_, other)| usize::from(**other) == arm)
        .map(|(at, _)| at)
        .collect();
    for at in own.iter().copied().take(SHOWN) {
        let micros = |column: &[u64]| known_time(Some(1e3 * column[at] as f64), page.style);
        sheet.push([
            rounds.round[at].to_string(),
            page.time(rules.frequency.nanos(rounds.ticks[at]) as f64),
            micros(&processes.user_us),
            micros(&processes.kernel_us),
            tourbillon_report::bytes(processes.peak_bytes[at] as f64),
            processes.exit_codes[at].to_string(),
        ]);
    }
    page.line("\nProcesses");
    page.table(sheet);
    if own.len() > SHOWN {
        page.say("  ", &format!("and {} more", own.len() - SHOWN));
    }
    page.line("\nFigures");
    let again = estimate(rounds, arm, rules.confidence, &rules.frequency);
    for result in run.results.iter().filter(|result| result.case == id) {
        let text = figures(page, result);
        steps::push_figure(page, result, &again, &text);
    }
}

/// How the command was started.
fn started(page: &mut Page<'_>, command: &CommandLine) {
    let words: Vec<String> = command
        .arguments
        .iter()
        .map(|word| format!("{word:?}"))
        .collect();
    page.say("arguments: ", &words.join(" "));
    let mut line = |lead: &str, text: Option<&str>| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            page.say(lead, text);
        }
    };
    line("variables: ", Some(&command.environment.join(" ")));
    line("folder: ", command.folder.as_deref());
    line("stdin: ", command.input.as_deref());
    line("stdout: ", Some(&command.output));
    line("before each run: ", command.prepare.as_deref());
    line("after each run: ", command.conclude.as_deref());
}

/// Median, interval, mean and scatter.
fn figures(page: &Page<'_>, result: &CaseResult) -> String {
    let shown = |value: f64| steps::shown(page, result, value);
    let mut text = match result.estimate {
        // The parts of processor time are sampled.
        Ok(estimate) if result.mean == Some(estimate) => format!("mean {}", shown(estimate)),
        Ok(estimate) => format!("median {}", shown(estimate)),
        Err(absence) => absence.name().replace('_', " "),
    };
    text += &steps::bounds(page, result);
    if let Some(mean) = result.mean.filter(|mean| result.estimate != Ok(*mean)) {
        text += &format!(", mean {}", shown(mean));
    }
    if let Some(stddev) = result.stddev {
        text += &format!(", standard deviation {}", shown(stddev));
    }
    text + &format!(", of {} processes", result.launches)
}
