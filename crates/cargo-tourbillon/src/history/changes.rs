//! `history changes`.

use std::env;

use clap::Args;
use serde_json::json;
use tourbillon_builds::main_line;
use tourbillon_report::{Style, counted};

use super::accepted::{Accepted, accepted};
use super::branch_runs::{BranchRuns, short};
use super::history_flags::HistoryFlags;
use super::nominate::{Nomination, Nominations};
use super::series_flags::{LevelFlag, SeriesFlags};
use crate::cells::trimmed;
use crate::exit::{Stop, print};
use crate::screen::{ColorFlag, Page, TextOrJson};
use crate::table::Sheet;

const AFTER: &str = "\
A nomination is no verdict: conditions of the machine change, too. `cargo tourbillon compare` of the two ends
of the range decides.";

/// List ranges of commits in which results change
///
/// Examines cycles, else times, of each case on each kind of machine. Each range contains a change with the
/// stated confidence, as far as the results of a stable program are exchangeable.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(super) struct Arguments {
    /// Parts of ids; each selects the cases that have it [all]
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    /// Accepted changes as well
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    series: SeriesFlags,
    #[command(flatten)]
    level: LevelFlag,
    /// Format: text or jsonl
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    color: ColorFlag,
}

pub(super) fn run(arguments: &Arguments, flags: &HistoryFlags) -> Result<(), Stop> {
    let accepted = accepted()?;
    let mut history = flags.open()?;
    let index = &mut *history.index;
    let runs = arguments.series.branch.newest(index)?;
    let series = arguments.series.select(index, &arguments.cases)?;
    let nominations = arguments.level.nominate(index, &runs, series)?;
    let mut found: Vec<(&Nomination<'_>, Option<&Accepted>)> = Vec::new();
    for nomination in &nominations.found {
        found.push((nomination, acceptance(nomination, &accepted)));
    }
    let hidden = found
        .iter()
        .filter(|(_, why)| why.is_some() && !arguments.all)
        .count();
    found.retain(|(_, why)| why.is_none() || arguments.all);
    print(&match arguments.format {
        TextOrJson::Json => found.iter().map(json_line).collect(),
        TextOrJson::Text => {
            let style = arguments.color.style();
            text(
                &found,
                hidden,
                &nominations,
                &runs,
                arguments.level.error,
                &style,
            )
        }
    })
}

/// The accepted change that explains a nomination: of the case, and of a commit in the range.
fn acceptance<'a>(nomination: &Nomination<'_>, accepted: &'a [Accepted]) -> Option<&'a Accepted> {
    let mut of_case = accepted
        .iter()
        .filter(|one| nomination.series.case.contains(&one.case))
        .peekable();
    of_case.peek()?;
    let (before, after) = (
        nomination.before.commit.as_ref()?,
        nomination.after.commit.as_ref()?,
    );
    let folder = env::current_dir().unwrap_or_default();
    let commits = main_line(&folder, &format!("{before}..{after}")).ok()?;
    of_case.find(|one| commits.contains(&one.commit))
}

fn text(
    found: &[(&Nomination<'_>, Option<&Accepted>)],
    hidden: usize,
    nominations: &Nominations<'_>,
    runs: &BranchRuns,
    error: f64,
    style: &Style,
) -> String {
    let mut page = Page::new(style);
    let mut machines: Vec<&str> = found
        .iter()
        .map(|(one, _)| one.series.machine.as_str())
        .collect();
    machines.sort_unstable();
    machines.dedup();
    for machine in machines {
        let name = runs.machine_name(machine);
        page.quote("", &format!("{name} ({machine})"));
        let mut sheet = Sheet::new("case")
            .left(["metric"])
            .right(["change"])
            .left(["commits", "likely", "runs", "accepted"]);
        for (nomination, why) in found
            .iter()
            .filter(|(one, _)| one.series.machine == machine)
        {
            let [before, after] = nomination.points;
            sheet.row([
                nomination.series.case.clone(),
                nomination.series.metric.clone(),
                change(nomination),
                format!("{}..{}", short(nomination.before), short(nomination.after)),
                short(nomination.likely).to_owned(),
                format!("{before} + {after}"),
                why.map(|accepted| accepted.why.clone()).unwrap_or_default(),
            ]);
        }
        page.sheet(&sheet);
        page.line("");
    }
    let (changes, of) = (counted(found.len(), "change"), nominations.examined);
    let percent = trimmed(100.0 * error);
    page.say(
        "",
        &format!("{changes} nominated in {of} series; of stable series, at most {percent} % are nominated"),
    );
    if hidden > 0 {
        page.say("", &format!("{hidden} more accepted; --all lists them"));
    }
    if let Some((one, _)) = found.iter().find(|(_, why)| why.is_none()) {
        let (before, after, case) = (short(one.before), short(one.after), &one.series.case);
        let command = format!("cargo tourbillon compare {before} {after} -- --exact '{case}'");
        // On one line, so that it can be copied.
        page.line(&format!("confirm with  {}", page.escaped(&command)));
    }
    page.text
}

/// By how much the level changes.
fn change(nomination: &Nomination<'_>) -> String {
    let [before, after] = nomination.levels;
    match nomination.ratio() {
        Some(ratio) => format!("{:+.2} %", 100.0 * (ratio - 1.0)),
        None => format!("{before} -> {after}"),
    }
}

fn json_line((nomination, why): &(&Nomination<'_>, Option<&Accepted>)) -> String {
    let series = &nomination.series;
    let line = json!({
        "type": "nomination",
        "case": series.case,
        "metric": series.metric,
        "machine": series.machine,
        "before": nomination.before.commit,
        "after": nomination.after.commit,
        "likely": nomination.likely.commit,
        "ratio": nomination.ratio(),
        "levels": nomination.levels,
        "runs_before": nomination.points[0],
        "runs_after": nomination.points[1],
        "accepted": why.map(|accepted| &accepted.why),
    });
    format!("{line}\n")
}
