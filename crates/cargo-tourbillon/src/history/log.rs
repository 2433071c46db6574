//! `history log`.

use clap::Args;
use serde_json::json;
use tourbillon_clock::wall::local_rfc3339;
use tourbillon_index::{IndexedRun, Point, Series};
use tourbillon_report::{Figure, Style};

use super::branch_runs::{BranchRuns, short};
use super::history_flags::HistoryFlags;
use super::listing::in_unit;
use super::series_flags::SeriesFlags;
use crate::exit::Stop;
use crate::output_flags::{ColorFlag, TextOrJson};
use crate::screen::Page;
use crate::table::Sheet;

/// Print the results of cases over time
///
/// One table for each kind of machine, in the order of the commits of a branch.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Parts of ids or of printed names; each selects the cases that have it
    #[arg(value_name = "CASE", required = true)]
    cases: Vec<String>,
    #[command(flatten)]
    series: SeriesFlags,
    /// Format: text or jsonl
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    color: ColorFlag,
}

pub(super) fn run(arguments: &Arguments, flags: &HistoryFlags) -> Result<(), Stop> {
    let mut history = flags.open()?;
    let index = &mut *history.index;
    let runs = arguments.series.branch.newest(index)?;
    let all = arguments.series.select(index, &arguments.cases)?;
    let style = arguments.color.style();
    let mut text = String::new();
    for series in &all {
        let points = runs.points(index, series)?;
        if points.is_empty() {
            continue;
        }
        match arguments.format {
            TextOrJson::Json => text += &json_lines(series, &points),
            TextOrJson::Text => {
                if !text.is_empty() {
                    text.push('\n');
                }
                text += &table(series, &points, &runs, &style);
            }
        }
    }
    if text.is_empty() {
        let cases = arguments.cases.join(" or ");
        let what = format!("the history has no result of a case with {cases:?} on this branch");
        return Err(Stop::Usage(format!("{what}; `history add` adds records")));
    }
    arguments.format.print(&text)
}

fn table(
    series: &Series,
    points: &[(&IndexedRun, Point)],
    runs: &BranchRuns,
    style: &Style,
) -> String {
    let mut page = Page::new(style);
    let (metric, machine) = (&series.metric, runs.machine_name(&series.machine));
    page.quote(
        "",
        &format!(
            "{}, {metric}, on {machine} ({})",
            series.case, series.machine
        ),
    );
    let mut sheet = Sheet::new("commit")
        .left(["started"])
        .right(["per op", "99 % CI \u{b1}"]);
    for (run, point) in points {
        let (value, width) = figure(series, point, style);
        let started = local_rfc3339(run.started_unix_ns);
        sheet.row([short(run).to_owned(), started, value, width]);
    }
    page.sheet(&sheet);
    page.text
}

/// A figure in its unit, and the relative half-width of its interval.
fn figure(series: &Series, point: &Point, style: &Style) -> (String, String) {
    let figure = Figure::new(point.value, point.lower, point.upper);
    let value = in_unit(figure, &series.unit, style);
    let width = figure.relative();
    let width = width.map_or_else(String::new, |width| format!("{:.2} %", 100.0 * width));
    (value, width)
}

fn json_lines(series: &Series, points: &[(&IndexedRun, Point)]) -> String {
    let line = |(run, point): &(&IndexedRun, Point)| {
        let line = json!({
            "type": "point",
            "case": series.case,
            "metric": series.metric,
            "unit": series.unit,
            "machine": series.machine,
            "engine": series.engine,
            "method": series.method,
            "commit": run.commit,
            "record": run.record,
            "started_unix_ns": run.started_unix_ns,
            "value": point.value,
            "lower": point.lower,
            "upper": point.upper,
        });
        format!("{line}\n")
    };
    points.iter().map(line).collect()
}
