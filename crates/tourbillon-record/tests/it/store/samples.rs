//! Small headers and results.

use std::path::PathBuf;

use tourbillon_record::store::Store;
use tourbillon_record::{Absence, Case, CaseResult, Entry, Header, Line, Metric, Scope};

pub(crate) const SECOND: u64 = 1_000_000_000;
/// 2026-01-01T00:00:00Z.
pub(crate) const START: u64 = 1_767_225_600 * SECOND;

/// A time after all runs.
pub(crate) const LATER: u64 = u64::MAX;

pub(crate) fn header(started_unix_ns: u64) -> Header {
    Header {
        tourbillon: "0.1.0".into(),
        engine: "e".into(),
        started_unix_ns,
        package: "shop".into(),
        target: "checkout".into(),
        seed: started_unix_ns,
        cases: 1,
        ..Header::default()
    }
}

pub(crate) fn case(id: &str) -> Line {
    Line::Case(Case {
        id: id.into(),
        ..Case::default()
    })
}

pub(crate) fn result(case: &str, metric: Metric, estimate: Result<f64, Absence>) -> CaseResult {
    CaseResult {
        case: case.into(),
        metric,
        estimate,
        scope: Scope::Processes,
        launches: 20,
        method: "m".into(),
        ..CaseResult::default()
    }
}

/// Stores a whole run that started so many seconds after [`START`].
pub(crate) fn store_run(store: &Store, second: u64, results: &[CaseResult]) -> PathBuf {
    store_run_at(store, second, results, LATER)
}

/// The same with a time at which it ends.
pub(crate) fn store_run_at(
    store: &Store,
    second: u64,
    results: &[CaseResult],
    now_unix_ns: u64,
) -> PathBuf {
    let mut writer = store.begin(&header(START + second * SECOND)).unwrap();
    for result in results {
        writer.append(Entry::Result(result)).unwrap();
    }
    let path = writer.path().to_owned();
    writer.finish(now_unix_ns).unwrap();
    path
}

/// Stores a run with a time for each of these cases: the second in which it started.
pub(crate) fn store_times(store: &Store, second: u64, cases: &[&str]) -> PathBuf {
    let time = |case: &&str| result(case, Metric::Time, Ok(second as f64));
    store_run(store, second, &cases.iter().map(time).collect::<Vec<_>>())
}
