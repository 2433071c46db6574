//! Bencher Metric Format: <https://bencher.dev/docs/reference/bencher-metric-format/>.

use serde_json::{Map, Value, json};
use tourbillon_record::{Metric, ThroughputUnit};

use super::rows::{ExportedCase, Omitted, Row, entries};

/// An object with a member for each case, which has a member for each measure.
pub(super) fn json(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> Value {
    let of_case = |case: &ExportedCase<'_>| {
        let rows = case.rows()?.into_iter();
        let measures: Map<String, Value> = rows.map(|row| (measure(&row), metric(&row))).collect();
        Ok((case.case.id.clone(), measures.into()))
    };
    Value::Object(entries(cases, omitted, of_case).into_iter().collect())
}

/// The measure of a metric. `latency`, in nanoseconds, and `throughput` are Bencher's own; the others are new to it.
fn measure(row: &Row<'_>) -> String {
    match (row.rate, row.result.metric) {
        (Some(ThroughputUnit::Items), _) => "throughput".to_owned(),
        (Some(ThroughputUnit::Bytes), _) => "bytes-per-second".to_owned(),
        (None, Metric::Time) => "latency".to_owned(),
        (None, Metric::Own) => row.metric.clone(),
        (None, _) => row.metric.replace(['_', '.'], "-"),
    }
}

/// A value with its bounds, as far as they are known.
fn metric(row: &Row<'_>) -> Value {
    let mut metric = json!({ "value": row.value });
    for (name, end) in row.ends() {
        metric[format!("{name}_value")] = end.into();
    }
    metric
}
