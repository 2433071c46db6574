//! The JSON and the CSV of hyperfine's `--export-json` and `--export-csv`. All times in seconds.

use serde::Serialize;
use serde_json::{Map, Value, json};
use tourbillon_present::{Cell, CsvForm, Table};
use tourbillon_record::Metric;

use super::rows::{ExportedCase, Omitted, entries};

/// A result of hyperfine. Members that are not known are `null`, or absent where they are of commands alone.
#[derive(Debug, Default, Serialize)]
struct HyperfineResult {
    command: String,
    mean: Option<f64>,
    stddev: Option<f64>,
    median: f64,
    user: Option<f64>,
    system: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    times: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_usage_byte: Option<Vec<u64>>,
    /// As the record has them, and hyperfine: 128 and its number for a signal.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_codes: Option<Vec<i32>>,
    parameters: Map<String, Value>,
}

/// A result for each case. The runs of a benchmark are the launches that count, each with its time per op; those of
/// a command are its processes.
pub(super) fn json(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> Value {
    json!({ "results": entries(cases, omitted, result) })
}

/// A line for each case, with a column for each parameter.
pub(super) fn csv(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> String {
    let results = entries(cases, omitted, result);
    let mut names: Vec<&String> = Vec::new();
    for name in results.iter().flat_map(|result| result.parameters.keys()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut table = Table::new("command")
        .right(["mean", "stddev", "median", "user", "system", "min", "max"])
        .left(names.iter().map(|name| format!("parameter_{name}")));
    for result in &results {
        let number = |value: Option<f64>| Cell::number("", value);
        let mut cells = vec![Cell::text(&result.command)];
        cells.extend([result.mean, result.stddev, Some(result.median)].map(number));
        cells.extend([result.user, result.system, result.min, result.max].map(number));
        cells.extend(names.iter().map(|name| {
            let value = result.parameters.get(*name).and_then(Value::as_str);
            Cell::text(value.unwrap_or_default())
        }));
        table.push(cells);
    }
    table.csv(&CsvForm::DOCUMENT)
}

fn result(case: &ExportedCase<'_>) -> Result<HyperfineResult, Omitted> {
    let time = case.wall_time()?;
    let main = time.result;
    let seconds = |ns: f64| ns / 1e9;
    let runs = &case.runs;
    let times_ns = match runs {
        Some(runs) => runs.times_ns.clone(),
        None => case.launches(),
    };
    let times: Vec<f64> = times_ns.into_iter().map(seconds).collect();
    let arguments = case.case.arguments.iter();
    let mean = |metric| {
        let mut results = case.results.iter();
        let result = results.find(|result| result.metric == metric)?;
        result.mean.map(seconds)
    };
    Ok(HyperfineResult {
        command: case.case.id.clone(),
        mean: main.mean.map(seconds),
        stddev: main.stddev.map(seconds),
        median: seconds(time.value),
        // Not measured for benchmarks.
        user: mean(Metric::UserTime),
        system: mean(Metric::KernelTime),
        min: times.iter().copied().reduce(f64::min),
        max: times.iter().copied().reduce(f64::max),
        times,
        memory_usage_byte: runs.as_ref().map(|runs| runs.column(|one| &one.peak_bytes)),
        exit_codes: runs.as_ref().map(|runs| runs.column(|one| &one.exit_codes)),
        parameters: arguments
            .map(|argument| (argument.axis.clone(), argument.value.clone().into()))
            .collect(),
    })
}
