//! The JSON of hyperfine's `--export-json`.

use serde_json::{Map, Value, json};

use super::case::{ExportedCase, Omitted};

/// A result for each case; its runs are the launches that count, each with its time per op. All times in seconds.
pub(super) fn json(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> String {
    let mut results = Vec::new();
    for case in cases {
        match result(case) {
            Ok(result) => results.push(result),
            Err(why) => omitted.push(why),
        }
    }
    format!("{:#}\n", json!({ "results": results }))
}

fn result(case: &ExportedCase<'_>) -> Result<Value, Omitted> {
    let (main, time) = case.wall_time()?;
    let seconds = |ns: f64| ns / 1e9;
    let times: Vec<f64> = case.launches().into_iter().map(seconds).collect();
    let arguments = case.case.arguments.iter();
    let parameters: Map<String, Value> = arguments
        .map(|argument| (argument.axis.clone(), argument.value.clone().into()))
        .collect();
    Ok(json!({
        "command": case.case.id,
        "mean": main.mean.map(seconds),
        "stddev": main.stddev.map(seconds),
        "median": seconds(time.value),
        // Not measured.
        "user": null,
        "system": null,
        "min": times.iter().copied().reduce(f64::min),
        "max": times.iter().copied().reduce(f64::max),
        "times": times,
        "parameters": parameters,
    }))
}
