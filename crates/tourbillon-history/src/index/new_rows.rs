//! The rows that runs add to the tables of an index.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use crate::index::columns::{Column, NewRows};
use crate::index::{CommitVerdict, ComparisonSummary, Failure, RunSummary, Series};

/// What an index has.
pub(crate) struct Held {
    /// The hashes of its records.
    records: HashSet<String>,
    /// The largest number of a run.
    last_run: i64,
    /// The numbers of all series, from 1.
    series: HashMap<String, i64>,
}

impl Held {
    /// What an index with these records has, without its series.
    pub(crate) fn new(records: HashSet<String>, last_run: i64) -> Held {
        Held {
            records,
            last_run,
            series: HashMap::new(),
        }
    }

    /// Notes a series that the index has.
    pub(crate) fn add_series(&mut self, series: &Series) {
        let mut key = String::new();
        let Series {
            case,
            metric,
            unit,
            machine,
            engine,
            method,
            ..
        } = series;
        series_key([case, metric, unit, machine, engine, method], &mut key);
        self.series.insert(key, series.number);
    }

    /// The largest number of a series: some may have been removed, or added by others.
    fn last_series(&self) -> i64 {
        self.series.values().copied().max().unwrap_or(0)
    }
}

/// A row of points.
struct NewPoint {
    series: i64,
    run: i64,
    figure: [Option<f64>; 3],
}

/// The rows of those runs that the index does not have. Rows are in the order of their numbers, in which pages are
/// filled one after the other.
pub(crate) fn of_runs(all: &[RunSummary], mut held: Held) -> [NewRows<'_>; 3] {
    let mut runs: Vec<(i64, &RunSummary)> = Vec::new();
    // Each with its case, metric, unit, machine, engine and method.
    let mut series: Vec<(i64, [&str; 6])> = Vec::new();
    let mut points: Vec<NewPoint> = Vec::new();
    let (mut number, mut last_series) = (held.last_run, held.last_series());
    let mut key = String::new();
    for run in all {
        if !held.records.insert(run.record.clone()) {
            continue;
        }
        // The largest number of all is damage, which the table refuses as a second one.
        number = number.saturating_add(1);
        runs.push((number, run));
        for figure in &run.figures {
            let parts = [
                figure.case.as_str(),
                &figure.metric,
                &figure.unit,
                &run.machine.key,
                &run.engine,
                &figure.method,
            ];
            series_key(parts, &mut key);
            let of_series = match held.series.get(&key) {
                Some(known) => *known,
                None => {
                    last_series = last_series.saturating_add(1);
                    series.push((last_series, parts));
                    held.series.insert(key.clone(), last_series);
                    last_series
                }
            };
            points.push(NewPoint {
                series: of_series,
                run: number,
                figure: [Some(figure.value), figure.lower, figure.upper],
            });
        }
    }
    points.sort_by_key(|point| (point.series, point.run));
    // A record with two results of one series keeps the first.
    points.dedup_by_key(|point| (point.series, point.run));
    let part = |number: usize| Column::texts(&series, move |(_, parts)| parts[number]);
    let end = |number: usize| Column::optional_reals(&points, move |point| point.figure[number]);
    [
        NewRows::new(
            "runs",
            [
                ("run", Column::integers(&runs, |(number, _)| *number)),
                ("record", Column::texts(&runs, |(_, run)| &run.record)),
                (
                    "commit_id",
                    Column::optional_texts(&runs, |(_, run)| run.commit.as_deref()),
                ),
                (
                    "started",
                    Column::times(&runs, |(_, run)| run.started_unix_ns),
                ),
                ("package", Column::texts(&runs, |(_, run)| &run.package)),
                ("target", Column::texts(&runs, |(_, run)| &run.target)),
                ("machine", Column::texts(&runs, |(_, run)| &run.machine.key)),
                (
                    "machine_name",
                    Column::texts(&runs, |(_, run)| &run.machine.name),
                ),
                (
                    "compilation",
                    Column::texts(&runs, |(_, run)| &run.compilation),
                ),
                (
                    "more_is_better",
                    Column::texts(&runs, |(_, run)| &run.more_is_better),
                ),
                ("host", Column::texts(&runs, |(_, run)| &run.host)),
            ],
        ),
        NewRows::new(
            "series",
            [
                ("series", Column::integers(&series, |(number, _)| *number)),
                ("case_id", part(0)),
                ("metric", part(1)),
                ("unit", part(2)),
                ("machine", part(3)),
                ("engine", part(4)),
                ("method", part(5)),
            ],
        ),
        NewRows::new(
            "points",
            [
                ("series", Column::integers(&points, |point| point.series)),
                ("run", Column::integers(&points, |point| point.run)),
                ("value", end(0)),
                ("lower_end", end(1)),
                ("upper_end", end(2)),
            ],
        ),
    ]
}

/// The rows of comparisons.
pub(crate) fn of_comparisons(all: &[ComparisonSummary]) -> [NewRows<'_>; 2] {
    let rows: Vec<&ComparisonSummary> = all.iter().collect();
    let mut verdicts: Vec<(&str, i64, &CommitVerdict)> = Vec::new();
    for comparison in all {
        let own = comparison.verdicts.iter().zip(0..);
        verdicts.extend(own.map(|(verdict, place)| (&*comparison.record, place, verdict)));
    }
    [
        NewRows::new(
            "comparisons",
            [
                ("record", Column::texts(&rows, |one| &one.record)),
                ("reference", Column::texts(&rows, |one| &one.commits[0])),
                ("candidate", Column::texts(&rows, |one| &one.commits[1])),
                ("started", Column::times(&rows, |one| one.started_unix_ns)),
                ("machine", Column::texts(&rows, |one| &one.machine.key)),
                (
                    "machine_name",
                    Column::texts(&rows, |one| &one.machine.name),
                ),
            ],
        )
        .skip_known(),
        NewRows::new(
            "verdicts",
            [
                ("record", Column::texts(&verdicts, |(record, ..)| record)),
                ("place", Column::integers(&verdicts, |(_, place, _)| *place)),
                ("case_id", Column::texts(&verdicts, |(.., one)| &one.case)),
                (
                    "finding",
                    Column::texts(&verdicts, |(.., one)| one.finding.name()),
                ),
                (
                    "why",
                    Column::optional_texts(&verdicts, |(.., one)| Some(one.why?.name())),
                ),
                (
                    "number",
                    Column::optional_texts(&verdicts, |(.., one)| Some(&one.number.as_ref()?.name)),
                ),
                (
                    "number_unit",
                    Column::optional_texts(&verdicts, |(.., one)| Some(&one.number.as_ref()?.unit)),
                ),
                (
                    "ratio",
                    Column::optional_reals(&verdicts, |(.., one)| one.ratio),
                ),
                (
                    "lower_end",
                    Column::optional_reals(&verdicts, |(.., one)| one.lower),
                ),
                (
                    "upper_end",
                    Column::optional_reals(&verdicts, |(.., one)| one.upper),
                ),
                (
                    "ratio_limit",
                    Column::optional_reals(&verdicts, |(.., one)| one.limit),
                ),
                ("margin", Column::reals(&verdicts, |(.., one)| one.margin)),
                (
                    "confidence",
                    Column::reals(&verdicts, |(.., one)| one.confidence),
                ),
            ],
        )
        .skip_known(),
    ]
}

/// The rows of commits that cannot be measured, each with its hash.
pub(crate) fn of_failures<'r>(all: &'r [Failure], hashes: &'r [String]) -> NewRows<'r> {
    let rows: Vec<(&String, &Failure)> = hashes.iter().zip(all).collect();
    NewRows::new(
        "failures",
        [
            ("failure", Column::texts(&rows, |(hash, _)| hash)),
            ("commit_id", Column::texts(&rows, |(_, one)| &one.commit)),
            ("machine", Column::texts(&rows, |(_, one)| &one.machine)),
            ("why", Column::texts(&rows, |(_, one)| &one.why)),
            ("noted", Column::times(&rows, |(_, one)| one.unix_ns)),
        ],
    )
    .skip_known()
}

/// What makes a series as one text, in place of what was in `key`: millions are looked up. With the lengths, two series
/// never have one text.
fn series_key(parts: [&str; 6], key: &mut String) {
    key.clear();
    for part in parts {
        // Writing to a text cannot fail.
        let _ = write!(key, "{}:{part}", part.len());
    }
}
