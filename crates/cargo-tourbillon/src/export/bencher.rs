//! Bencher Metric Format: <https://bencher.dev/docs/reference/bencher-metric-format/>.

use serde_json::{Map, Value, json};
use tourbillon_record::{Metric, ThroughputUnit};

use super::rows::{ExportedCase, Omitted, Row, entries};

/// Most bytes of the names of a benchmark and of a measure (Bencher 0.6.12). Of a report with a longer one it takes
/// nothing.
const BENCHMARK_BYTES: usize = 1_024;
const MEASURE_BYTES: usize = 64;

/// An object with a member for each case, which has a member for each measure.
pub(super) fn json(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> Value {
    let mut without_measure = Vec::new();
    let of_case = |case: &ExportedCase<'_>| {
        let id = &case.case.id;
        if id.len() > BENCHMARK_BYTES {
            let bytes = id.len();
            return Err(case.omitted(&format!(
                "its name has {bytes} bytes, and Bencher takes {BENCHMARK_BYTES}"
            )));
        }
        let mut measures = Map::new();
        for row in case.rows()? {
            let name = measure(&row);
            match unfit(&name) {
                None => drop(measures.insert(name, metric(&row))),
                Some(why) => without_measure.push(case.omitted_measure(&name, &why)),
            }
        }
        if measures.is_empty() {
            return Err(case.omitted("none of its measures has a name that Bencher takes"));
        }
        Ok((id.clone(), Value::Object(measures)))
    };
    let all = entries(cases, omitted, of_case);
    omitted.append(&mut without_measure);
    Value::Object(all.into_iter().collect())
}

/// Why Bencher does not take the name of a measure.
fn unfit(name: &str) -> Option<String> {
    let bytes = name.len();
    if bytes > MEASURE_BYTES {
        Some(format!(
            "its name has {bytes} bytes, and Bencher takes {MEASURE_BYTES}"
        ))
    } else if name != name.trim() {
        Some("its name ends in a blank, and Bencher takes none".to_owned())
    } else {
        None
    }
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
