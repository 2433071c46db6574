//! The JSON (schema 2) and the CSV of hyperfine 2: each metric of every run, and of all of them. Times in seconds.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value, json};
use tourbillon_commands::Columns;
use tourbillon_present::{Cell, CsvForm, Table};
use tourbillon_record::{FactValue, Run};
use tourbillon_stats::{Sample, mean, median, stddev};

use super::rows::{ExportedCase, Omitted, entries};

/// The metric that results are compared by.
const TIME: &str = "time_wall_clock";

/// A metric of all runs of a case.
struct Series {
    name: &'static str,
    /// `None` for counters of the processor.
    unit: Option<&'static str>,
    values: Vec<f64>,
}

/// What is known of the values of a metric.
#[derive(Debug, Serialize)]
struct Summary {
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    count: usize,
    mean: f64,
    /// `null` for a single run.
    stddev: Option<f64>,
    median: f64,
    min: f64,
    max: f64,
}

/// A result for each case. The runs of a benchmark are its launches, each with its time per op.
pub(super) fn json(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> Value {
    let results = entries(cases, omitted, result);
    let metadata = cases.first().map(|case| metadata(case.run));
    json!({
        "schema_version": 2,
        "metadata": metadata,
        "primary_metric": TIME,
        "results": results,
    })
}

/// What measured, when and where.
fn metadata(run: &Run) -> Value {
    let fact = |name: &str| match run.header.fact(name) {
        Some(FactValue::Text(text)) => Some(text.clone()),
        _ => None,
    };
    json!({
        "tourbillon_version": run.header.tourbillon,
        "start_time": run.header.started,
        "platform": { "os": fact("os"), "architecture": fact("arch") },
    })
}

fn result(case: &ExportedCase<'_>) -> Result<Value, Omitted> {
    case.wall_time()?;
    let series = series(case);
    let runs = series.first().map_or(0, |time| time.values.len());
    if runs == 0 {
        return Err(case.omitted("no run of it is recorded"));
    }
    let exit_codes = case
        .runs
        .as_ref()
        .map(|runs| runs.column(|one| &one.exit_codes));
    let measurement = |at: usize| {
        let metrics = series.iter().filter_map(|one| {
            let mut value = json!({ "value": one.values.get(at)? });
            if let Some(unit) = one.unit {
                value["unit"] = unit.into();
            }
            Some((one.name.to_owned(), value))
        });
        let mut measurement = Map::from_iter(metrics);
        if let Some(code) = exit_codes.as_ref().and_then(|codes| codes.get(at)) {
            measurement.insert("exit_code".to_owned(), (*code).into());
        }
        Value::Object(measurement)
    };
    let summaries = series.iter().filter_map(|one| {
        let summary = serde_json::to_value(summary(one)?).ok()?;
        Some((one.name.to_owned(), summary))
    });
    let parameters = case.case.arguments.iter();
    let parameters = parameters.map(|one| (one.axis.clone(), json!({ "value": one.value })));
    let mut result = json!({
        "command": case.case.id,
        "measurements": (0..runs).map(measurement).collect::<Vec<_>>(),
        "summary": Map::from_iter(summaries),
    });
    let parameters = Map::from_iter(parameters);
    if !parameters.is_empty() {
        result["parameters"] = Value::Object(parameters);
    }
    let command = case.case.command.as_deref();
    let variables = command.into_iter().flat_map(|command| &command.environment);
    let variables = variables.filter_map(|variable| variable.split_once('='));
    let variables = variables.map(|(name, value)| (name.to_owned(), value.into()));
    let variables = Map::from_iter(variables);
    if !variables.is_empty() {
        result["environment"] = Value::Object(variables);
    }
    Ok(result)
}

/// A line for each case that has runs, with columns for each metric and each parameter.
pub(super) fn csv(cases: &[ExportedCase<'_>]) -> String {
    let all = cases.iter().map(|case| (case, series(case)));
    let all = all.filter(|(_, series)| series.iter().all(|one| !one.values.is_empty()));
    let all: Vec<_> = all.collect();
    let Some((first, metrics)) = all.first() else {
        return String::new();
    };
    let parameters = first.case.arguments.iter().map(|one| one.axis.as_str());
    let of_metrics = metrics.iter().flat_map(|one| {
        let fields = ["unit", "mean", "stddev", "median", "min", "max"];
        fields.map(|field| format!("{}_{field}", one.name))
    });
    let mut table = Table::new("command")
        .left(of_metrics)
        .left(parameters.clone().map(|name| format!("parameter_{name}")));
    for (case, series) in &all {
        let mut cells = vec![Cell::text(&case.case.id)];
        for one in series {
            cells.push(Cell::text(match one.unit {
                Some("byte") => "B",
                Some(_) => "s",
                None => "count",
            }));
            let numbers = summary(one).map_or([None; 5], |all| {
                let [mean, median, min, max] = [all.mean, all.median, all.min, all.max].map(Some);
                [mean, all.stddev, median, min, max]
            });
            cells.extend(numbers.map(|number| Cell::number("", number)));
        }
        let arguments = case.case.arguments.iter();
        let arguments: HashMap<&str, &str> =
            arguments.map(|one| (&*one.axis, &*one.value)).collect();
        for name in parameters.clone() {
            cells.push(Cell::text(arguments.get(name).copied().unwrap_or_default()));
        }
        table.push(cells);
    }
    table.csv(&CsvForm::DOCUMENT)
}

/// The metrics of a case, its time first.
fn series(case: &ExportedCase<'_>) -> Vec<Series> {
    let Some(runs) = &case.runs else {
        return vec![of_seconds(TIME, 1e-9, case.launches())];
    };
    let user = numbers(runs.column(|one| &one.user_us));
    let system = numbers(runs.column(|one| &one.kernel_us));
    let both = user.iter().zip(&system).map(|(user, system)| user + system);
    let both = both.collect();
    let mut series = vec![
        of_seconds(TIME, 1e-9, runs.times_ns.clone()),
        of_seconds("time_cpu", 1e-6, both),
        of_seconds("time_user", 1e-6, user),
        of_seconds("time_system", 1e-6, system),
        Series {
            name: "memory_peak_resident",
            unit: Some("byte"),
            values: numbers(runs.column(|one| &one.peak_bytes)),
        },
    ];
    series.extend(Columns::counter_names().into_iter().filter_map(|name| {
        let values = numbers(runs.counts(name)?);
        Some(Series {
            name,
            unit: None,
            values,
        })
    }));
    series
}

fn of_seconds(name: &'static str, unit: f64, values: Vec<f64>) -> Series {
    Series {
        name,
        unit: Some("second"),
        values: values.into_iter().map(|value| value * unit).collect(),
    }
}

fn numbers(values: Vec<u64>) -> Vec<f64> {
    values.into_iter().map(|value| value as f64).collect()
}

/// `None` without a value.
fn summary(series: &Series) -> Option<Summary> {
    let values = Sample::new(series.values.clone()).ok()?;
    let sorted = values.as_slice();
    Some(Summary {
        unit: series.unit,
        count: values.len(),
        mean: mean(&values),
        stddev: stddev(&values),
        median: median(&values),
        min: *sorted.first()?,
        max: *sorted.last()?,
    })
}
