//! The custom JSON of github-action-benchmark: <https://github.com/benchmark-action/github-action-benchmark>.

use serde_json::{Value, json};
use tourbillon_record::{CaseResult, Metric};

use super::case::{ExportedCase, Interval, Omitted, metric_name, rate};

/// Times, cycles and counts, an entry each, for `customSmallerIsBetter`.
pub(super) fn smaller(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> String {
    let mut entries = Vec::new();
    for case in cases {
        match case.figures() {
            Ok(figures) => entries.extend(figures.into_iter().map(|(result, figure)| {
                let id = &case.case.id;
                let name = match result.metric {
                    Metric::Time => id.clone(),
                    _ => format!("{id} ({})", metric_name(result)),
                };
                entry(&name, result.unit(), result, figure)
            })),
            Err(why) => omitted.push(why),
        }
    }
    text(entries)
}

/// Throughputs, for `customBiggerIsBetter`.
pub(super) fn bigger(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> String {
    let mut entries = Vec::new();
    for case in cases {
        let throughput = case.wall_time().and_then(|(main, time)| {
            let (rate, unit) = rate(main, time).ok_or_else(|| case.omitted("no throughput"))?;
            let unit = format!("{}/s", unit.name());
            Ok(entry(&case.case.id, &unit, main, rate))
        });
        match throughput {
            Ok(entry) => entries.push(entry),
            Err(why) => omitted.push(why),
        }
    }
    text(entries)
}

fn text(entries: Vec<Value>) -> String {
    format!("{:#}\n", Value::Array(entries))
}

/// The interval stands in `range`, which the charts show next to the value.
fn entry(name: &str, unit: &str, result: &CaseResult, figure: Interval) -> Value {
    let mut entry = json!({ "name": name, "unit": unit, "value": figure.value });
    if let Some((lower, upper)) = figure.lower.zip(figure.upper) {
        entry["range"] = format!("[{lower}, {upper}]").into();
    }
    let launches = format!("launches: {}", result.launches);
    entry["extra"] = match result.confidence {
        Some(confidence) => format!("confidence: {confidence}\n{launches}"),
        None => launches,
    }
    .into();
    entry
}
