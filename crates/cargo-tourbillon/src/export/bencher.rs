//! Bencher Metric Format: <https://bencher.dev/docs/reference/bencher-metric-format/>.

use serde_json::{Map, Value, json};
use tourbillon_record::{CaseResult, Metric, ThroughputUnit};

use super::case::{ExportedCase, Interval, Omitted, metric_name, rate};

/// An object with a member for each case, which has a member for each measure.
pub(super) fn json(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> String {
    let mut document = Map::new();
    for case in cases {
        match measures(case) {
            Ok(measures) => {
                document.insert(case.case.id.clone(), measures.into());
            }
            Err(why) => omitted.push(why),
        }
    }
    format!("{:#}\n", Value::Object(document))
}

fn measures(case: &ExportedCase<'_>) -> Result<Map<String, Value>, Omitted> {
    let mut measures = Map::new();
    for (result, figure) in case.figures()? {
        measures.insert(measure(result), metric(figure));
        let rate = rate(result, figure).filter(|_| result.metric == Metric::Time);
        if let Some((rate, unit)) = rate {
            let measure = match unit {
                ThroughputUnit::Items => "throughput",
                ThroughputUnit::Bytes => "bytes-per-second",
            };
            measures.insert(measure.to_owned(), metric(rate));
        }
    }
    Ok(measures)
}

/// The measure of a metric. `latency`, in nanoseconds, and `throughput` are Bencher's own; the others are new to it.
fn measure(result: &CaseResult) -> String {
    match result.metric {
        Metric::Time => "latency".to_owned(),
        Metric::Own => metric_name(result),
        metric => metric.name().replace(['_', '.'], "-"),
    }
}

/// A value with its bounds, as far as they are known.
fn metric(figure: Interval) -> Value {
    let mut metric = json!({ "value": figure.value });
    if let Some(lower) = figure.lower {
        metric["lower_value"] = lower.into();
    }
    if let Some(upper) = figure.upper {
        metric["upper_value"] = upper.into();
    }
    metric
}
