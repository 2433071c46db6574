//! Nominations as tables and as lines.

use std::env;

use serde_json::{Value, json};
use tourbillon_builds::{is_commit, main_line_of};
use tourbillon_present::number::factor;
use tourbillon_present::{Block, Cell, Change, Column, Table};
use tourbillon_report::{Figure, Style};

use crate::acceptance::Accepted;
use crate::branch_runs::BranchRuns;
use crate::case_pattern::is_meant;
use crate::confirmations::{Comparisons, Status};
use crate::index::CommitVerdict;
use crate::nominate::{Nomination, Nominations};
use crate::short_names::short;

/// A nomination with what is known about it.
pub(crate) struct Listed<'n> {
    pub(crate) nomination: &'n Nomination<'n>,
    /// The accepted change that explains it.
    pub(crate) accepted: Option<&'n Accepted>,
    pub(crate) status: Status,
}

impl Listed<'_> {
    /// The verdict that shows a change to slower or worse, unless that is accepted.
    pub(crate) fn confirmed_worse(&self) -> Option<&CommitVerdict> {
        let is_open = self.accepted.is_none() && self.nomination.is_worse();
        match &self.status {
            Status::Confirmed(verdict) if is_open => Some(verdict),
            _ => None,
        }
    }
}

/// All nominations with what is known about them.
pub(crate) fn listed<'n>(
    nominations: &'n Nominations<'_>,
    accepted: &'n [Accepted],
    comparisons: &Comparisons,
) -> Vec<Listed<'n>> {
    let found = nominations.found.iter().map(|nomination| Listed {
        nomination,
        accepted: acceptance(nomination, accepted),
        status: comparisons.status(nomination),
    });
    found.collect()
}

/// The accepted change that explains a nomination: of the case, and of a commit in the range.
fn acceptance<'a>(nomination: &Nomination<'_>, accepted: &'a [Accepted]) -> Option<&'a Accepted> {
    let mut of_case = accepted
        .iter()
        .filter(|one| is_meant(&nomination.series.case, &one.case))
        .peekable();
    of_case.peek()?;
    let (before, after) = (
        nomination.before.commit.as_ref()?,
        nomination.after.commit.as_ref()?,
    );
    let folder = env::current_dir().unwrap_or_default();
    // Records name them.
    if ![before, after].into_iter().all(|commit| is_commit(commit)) {
        return None;
    }
    let commits = main_line_of(&folder, &format!("{before}..{after}")).ok()?;
    of_case.find(|one| commits.contains(&one.commit))
}

/// A heading and a table for each machine.
pub(crate) fn tables(all: &[Listed<'_>], runs: &BranchRuns) -> Vec<Block> {
    let machine = |one: &Listed<'_>| one.nomination.series.machine.clone();
    let mut machines: Vec<String> = all.iter().map(machine).collect();
    machines.sort_unstable();
    machines.dedup();
    let mut blocks = Vec::new();
    for key in machines {
        let name = runs.machine_name(&key);
        let of_machine = all.iter().filter(|one| machine(one) == key);
        blocks.push(Block::Group(vec![
            Block::text(format!("{name} ({key})")),
            Block::Table(table(of_machine)),
        ]));
    }
    blocks
}

/// A row for each change.
pub(crate) fn table<'l, 'n: 'l>(all: impl Iterator<Item = &'l Listed<'n>>) -> Table {
    let left = |key, title| Column::left(key, title).giving_way(0);
    let right = |key, title| Column::right(key, title).giving_way(0);
    let mut table = Table::of([
        Column::left("case", "case"),
        Column::of_programs("machine"),
        left("metric", "metric"),
        right("ratio", "change"),
        left("verdict", "verdict"),
        right("measured_ratio", "measured"),
        Column::of_programs("measured_lower"),
        Column::of_programs("measured_upper"),
        left("commits", "commits"),
        left("likely", "likely"),
        left("runs", "runs"),
        left("accepted", "accepted"),
    ]);
    for one in all {
        let [metric, change, verdict, by, commits, likely, runs, accepted] = cells(one);
        let nomination = one.nomination;
        let measured = one.status.verdict();
        table.push([
            Cell::text(&*nomination.series.case),
            Cell::text(&*nomination.series.machine),
            Cell::text(metric),
            Cell::number(change, nomination.ratio()),
            Cell::text(verdict),
            Cell::number(by, measured.and_then(|verdict| verdict.ratio)),
            Cell::number("", measured.and_then(|verdict| verdict.lower)),
            Cell::number("", measured.and_then(|verdict| verdict.upper)),
            Cell::text(commits),
            Cell::text(likely),
            Cell::text(runs),
            Cell::text(accepted),
        ]);
    }
    table
}

/// Metric, change, verdict, measured change, commits, likely commit, numbers of runs, reason.
fn cells(one: &Listed<'_>) -> [String; 8] {
    let nomination = one.nomination;
    let [before, after] = nomination.points;
    let accepted = one.accepted.map(|accepted| accepted.why.clone());
    [
        nomination.series.metric.clone(),
        change(nomination),
        one.status.words().unwrap_or_default().to_owned(),
        one.status.verdict().map(measured).unwrap_or_default(),
        range(nomination),
        short(nomination.likely).to_owned(),
        format!("{before} + {after}"),
        accepted.unwrap_or_default(),
    ]
}

/// A nomination in a sentence: `+2.04 % in 8a41c09d7..e03b5f6a1, confirmed: +1.98 % ± 0.21`.
pub(crate) fn words(one: &Listed<'_>) -> String {
    let mut words = format!("{} in {}", change(one.nomination), range(one.nomination));
    if let (Some(status), Some(verdict)) = (one.status.words(), one.status.verdict()) {
        words += &format!(", {status}: {}", measured(verdict));
    }
    if let Some(accepted) = one.accepted {
        words += &format!(", accepted: {}", accepted.why);
    }
    words
}

/// The commits as git takes them.
fn range(nomination: &Nomination<'_>) -> String {
    format!("{}..{}", short(nomination.before), short(nomination.after))
}

/// By how much the level changes.
fn change(nomination: &Nomination<'_>) -> String {
    let [before, after] = nomination.levels;
    match nomination.ratio() {
        Some(ratio) => Change::exact(ratio),
        None => format!("{before} -> {after}"),
    }
}

/// By how much a comparison measured that a case changes, with the half-width of its interval.
pub(crate) fn measured(verdict: &CommitVerdict) -> String {
    let CommitVerdict {
        ratio,
        lower,
        upper,
        ..
    } = verdict;
    let Some(ratio) = ratio else {
        return String::new();
    };
    match (lower, upper) {
        (Some(lower), Some(upper)) => {
            let half = 100.0 * (upper - ratio).max(ratio - lower);
            format!("{} \u{b1} {}", Change::exact(*ratio), factor(half, 2))
        }
        _ => Change::exact(*ratio),
    }
}

/// A figure of a series with its unit.
pub(crate) fn in_unit(figure: Figure, unit: &str, style: &Style) -> String {
    match unit {
        "ns" => figure.time(style),
        "cycles" => figure.cycles(),
        unit => format!("{} {unit}", figure.value),
    }
}

/// A nomination as a line of JSON.
pub(crate) fn json_line(one: &Listed<'_>) -> String {
    format!("{}\n", json_of(one))
}

/// A nomination as JSON.
pub(crate) fn json_of(one: &Listed<'_>) -> Value {
    let nomination = one.nomination;
    let series = &nomination.series;
    let verdict = one.status.verdict();
    json!({
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
        "verdict": one.status.words(),
        "measured": verdict.map(|verdict| json!({
            "ratio": verdict.ratio,
            "lower": verdict.lower,
            "upper": verdict.upper,
            "margin": verdict.margin,
            "confidence": verdict.confidence,
        })),
        "accepted": one.accepted.map(|accepted| &accepted.why),
    })
}
