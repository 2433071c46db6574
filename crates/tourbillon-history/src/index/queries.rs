//! Queries, in the words that SQLite and PostgreSQL share, and what their rows are.

use std::collections::HashMap;

use tourbillon_record::{Finding, Undecided};
use tourbillon_tool::machine_kind::Machine;

use crate::index::{
    CommitVerdict, ComparisonSummary, Failure, FileKind, IndexedRun, NumberName, Point, Series,
};

pub(crate) const LAST_RUN: &str = "SELECT coalesce(max(run), 0) FROM runs";
pub(crate) const RUNS: &str = "SELECT run, record, commit_id, started, package, target, machine, machine_name, \
    compilation, more_is_better, host FROM runs ORDER BY started, record";
pub(crate) const SERIES: &str = "SELECT series, case_id, metric, unit, machine, engine, method FROM series \
    ORDER BY case_id, metric, unit, machine, engine, method";
/// The points of series `$1`, without an order.
pub(crate) const POINTS: &str =
    "SELECT run, value, lower_end, upper_end FROM points WHERE series = $1";
pub(crate) const COMPARISONS: &str = "SELECT record, reference, candidate, started, machine, machine_name \
    FROM comparisons ORDER BY started, record";
/// The verdicts of each comparison in their order.
pub(crate) const VERDICTS: &str = "SELECT record, case_id, finding, ratio, lower_end, upper_end, ratio_limit, margin, \
    confidence, why, number, number_unit FROM verdicts ORDER BY record, place";
pub(crate) const FAILURES: &str =
    "SELECT commit_id, machine, why, noted FROM failures ORDER BY noted, failure";

/// The hashes of files of a kind.
pub(crate) const fn hashes(of: FileKind) -> &'static str {
    match of {
        FileKind::Run => "SELECT record FROM runs",
        FileKind::Comparison => "SELECT record FROM comparisons",
        FileKind::Failure => "SELECT failure FROM failures",
    }
}

/// A row of an answer. Columns are counted from 0. A number that is infinite or none is an error: no record has one.
pub(crate) trait AnswerRow {
    type Error;

    fn integer(&self, column: usize) -> Result<i64, Self::Error>;
    fn optional_text(&self, column: usize) -> Result<Option<String>, Self::Error>;
    fn text(&self, column: usize) -> Result<String, Self::Error>;
    fn optional_real(&self, column: usize) -> Result<Option<f64>, Self::Error>;
    fn real(&self, column: usize) -> Result<f64, Self::Error>;
}

pub(crate) fn run<R: AnswerRow>(row: &R) -> Result<IndexedRun, R::Error> {
    Ok(IndexedRun {
        number: row.integer(0)?,
        record: row.text(1)?,
        commit: row.optional_text(2)?,
        started_unix_ns: row.integer(3)?.unsigned_abs(),
        package: row.text(4)?,
        target: row.text(5)?,
        machine: row.text(6)?,
        machine_name: row.text(7)?,
        compilation: row.optional_text(8)?,
        more_is_better: row.optional_text(9)?,
        host: row.optional_text(10)?.unwrap_or_default(),
    })
}

pub(crate) fn series<R: AnswerRow>(row: &R) -> Result<Series, R::Error> {
    Ok(Series {
        number: row.integer(0)?,
        case: row.text(1)?,
        metric: row.text(2)?,
        unit: row.text(3)?,
        machine: row.text(4)?,
        engine: row.text(5)?,
        method: row.text(6)?,
    })
}

pub(crate) fn point<R: AnswerRow>(row: &R) -> Result<Point, R::Error> {
    Ok(Point {
        run: row.integer(0)?,
        value: row.real(1)?,
        lower: row.optional_real(2)?,
        upper: row.optional_real(3)?,
    })
}

/// A comparison without its verdicts.
pub(crate) fn comparison<R: AnswerRow>(row: &R) -> Result<ComparisonSummary, R::Error> {
    let machine = Machine {
        key: row.text(4)?,
        name: row.text(5)?,
    };
    let commits = [row.text(1)?, row.text(2)?];
    let started = row.integer(3)?.unsigned_abs();
    Ok(ComparisonSummary::new(
        row.text(0)?,
        commits,
        started,
        machine,
    ))
}

/// A verdict with the record of its comparison.
pub(crate) fn verdict<R: AnswerRow>(row: &R) -> Result<(String, CommitVerdict), R::Error> {
    let verdict = CommitVerdict {
        case: row.text(1)?,
        // The tables have no other word.
        finding: Finding::of_name(&row.text(2)?).unwrap_or(Finding::Undecided),
        why: row
            .optional_text(9)?
            .and_then(|why| Undecided::of_name(&why)),
        number: row
            .optional_text(10)?
            .zip(row.optional_text(11)?)
            .map(|(name, unit)| NumberName { name, unit }),
        ratio: row.optional_real(3)?,
        lower: row.optional_real(4)?,
        upper: row.optional_real(5)?,
        limit: row.optional_real(6)?,
        margin: row.real(7)?,
        confidence: row.real(8)?,
    };
    Ok((row.text(0)?, verdict))
}

/// Comparisons with those verdicts that are theirs.
pub(crate) fn with_verdicts(
    mut comparisons: Vec<ComparisonSummary>,
    verdicts: Vec<(String, CommitVerdict)>,
) -> Vec<ComparisonSummary> {
    let mut of_records: HashMap<String, Vec<CommitVerdict>> = HashMap::new();
    for (record, verdict) in verdicts {
        of_records.entry(record).or_default().push(verdict);
    }
    for comparison in &mut comparisons {
        comparison.verdicts = of_records.remove(&comparison.record).unwrap_or_default();
    }
    comparisons
}

pub(crate) fn failure<R: AnswerRow>(row: &R) -> Result<Failure, R::Error> {
    let [commit, machine, why] = [row.text(0)?, row.text(1)?, row.text(2)?];
    let noted = row.integer(3)?.unsigned_abs();
    Ok(Failure::new(&commit, &machine, &why, noted))
}
