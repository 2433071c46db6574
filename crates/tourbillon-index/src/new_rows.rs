//! The rows that runs add to the tables of an index.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use crate::{RunSummary, Series};

/// What an index has.
pub(crate) struct Held {
    /// The hashes of its records.
    records: HashSet<String>,
    /// The largest number of a run.
    last_run: i64,
    /// The numbers of all series, which are counted from 1.
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
}

/// What is to be added. Rows are in the order of their numbers, in which pages are filled one after the other.
#[derive(Default)]
pub(crate) struct NewRows<'r> {
    pub(crate) runs: Vec<NewRun<'r>>,
    /// Each with its case, metric, unit, machine, engine and method.
    pub(crate) series: Vec<(i64, [&'r str; 6])>,
    pub(crate) points: Vec<NewPoint>,
}

/// A row of runs.
pub(crate) struct NewRun<'r> {
    pub(crate) number: i64,
    /// Start in nanoseconds since the Unix epoch.
    pub(crate) started: i64,
    pub(crate) summary: &'r RunSummary,
}

/// A row of points.
#[derive(Clone, Copy)]
pub(crate) struct NewPoint {
    pub(crate) series: i64,
    pub(crate) run: i64,
    pub(crate) value: f64,
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
}

impl<'r> NewRows<'r> {
    /// The rows of those runs that the index does not have.
    pub(crate) fn of(runs: &'r [RunSummary], mut held: Held) -> NewRows<'r> {
        let mut rows = NewRows::default();
        let (mut number, mut last_series) = (held.last_run, held.series.len() as i64);
        let mut key = String::new();
        for run in runs {
            if !held.records.insert(run.record.clone()) {
                continue;
            }
            number += 1;
            rows.runs.push(NewRun {
                number,
                started: i64::try_from(run.started_unix_ns).unwrap_or(i64::MAX),
                summary: run,
            });
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
                let series = match held.series.get(&key) {
                    Some(series) => *series,
                    None => {
                        last_series += 1;
                        rows.series.push((last_series, parts));
                        held.series.insert(key.clone(), last_series);
                        last_series
                    }
                };
                rows.points.push(NewPoint {
                    series,
                    run: number,
                    // SQLite has no negative zero.
                    value: figure.value + 0.0,
                    lower: figure.lower.map(|end| end + 0.0),
                    upper: figure.upper.map(|end| end + 0.0),
                });
            }
        }
        rows.points.sort_by_key(|point| (point.series, point.run));
        // A record with two results of one series keeps the first.
        rows.points.dedup_by_key(|point| (point.series, point.run));
        rows
    }
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
