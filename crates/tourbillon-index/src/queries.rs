//! Queries, in the words that SQLite and PostgreSQL share.

pub(crate) const RECORDS: &str = "SELECT record FROM runs";
pub(crate) const LAST_RUN: &str = "SELECT coalesce(max(run), 0) FROM runs";
pub(crate) const RUNS: &str = "SELECT run, record, commit_id, started, package, target, machine, machine_name \
    FROM runs ORDER BY started, record";
pub(crate) const SERIES: &str = "SELECT series, case_id, metric, unit, machine, engine, method FROM series \
    ORDER BY case_id, metric, unit, machine, engine, method";
/// The points of series `$1`, without an order.
pub(crate) const POINTS: &str =
    "SELECT run, value, lower_end, upper_end FROM points WHERE series = $1";
