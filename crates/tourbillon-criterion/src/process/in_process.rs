//! Benchmarks that are measured in this process at once: of programs that are no bench programs, and where a
//! suite does not bear other processes.

use std::time::Duration;

use tourbillon::program::{InProcess, caught_anywhere, measure_in_process, to_stderr};
use tourbillon_record::{CaseResult, Metric};
use tourbillon_report::escape;

use super::registration::{Body, Registration};
use crate::lines::{Lines, Shown};
use crate::stdout;

/// How long a benchmark is measured.
const TIME: Duration = Duration::from_millis(200);

/// Measures a benchmark and prints it, in the form of `lines` if there is one; false if it failed.
pub(super) fn measure(
    registration: &Registration<'_>,
    id: &str,
    lines: Option<Lines>,
    body: Body<'_>,
) -> bool {
    let measured = caught_anywhere(|| measure_in_process(id, TIME, body));
    match measured.unwrap_or_else(|panicked| Err(panicked.to_string())) {
        Ok(measured) => {
            match (lines, measured.results.first()) {
                (Some(lines), Some(result)) => stdout::print(&lines.render(&Shown {
                    id,
                    result,
                    throughput: registration.throughput,
                    change: None,
                })),
                _ => print(&measured),
            }
            true
        }
        Err(why) => {
            let location = registration.location;
            to_stderr(&format!(
                "error: {} at {location}: {why}\n",
                escape(id, true)
            ));
            false
        }
    }
}

/// Measures a benchmark of a program that is no bench program, and prints its line.
///
/// # Panics
///
/// When the benchmark does, or passes no body to its `Bencher`.
pub(super) fn measure_or_panic(registration: &Registration<'_>, body: Body<'_>) {
    let id = registration.named.id();
    match measure_in_process(&id, TIME, body) {
        Ok(measured) => print(&measured),
        Err(why) => panic!("{id}: {why}"),
    }
}

/// Prints what was measured: a line for wall time, the number and its unit for a measurement of the suite.
fn print(measured: &InProcess) {
    let own = measured
        .results
        .iter()
        .find(|result| result.metric == Metric::Own);
    let line = own.map_or_else(|| measured.line.clone(), own_line);
    stdout::print(&(line + "\n"));
}

fn own_line(result: &CaseResult) -> String {
    let id = escape(&result.case, true);
    let (name, unit) = result
        .own
        .as_ref()
        .map_or(("", ""), |own| (&own.name, &own.unit));
    match result.estimate {
        Ok(estimate) => format!("{id}: {name} {estimate} {unit}"),
        Err(_) => format!("{id}: {name} is below what can be resolved"),
    }
}
