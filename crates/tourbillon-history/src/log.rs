//! `history log`.

use crate::index::{IndexedRun, Point, Series};
use serde_json::json;
use tourbillon_clock::wall::local_rfc3339;
use tourbillon_report::{Figure, Style};

use crate::branch_runs::BranchRuns;
use crate::equal_builds::EqualPart;
use crate::listing::in_unit;
use crate::location::Location;
use crate::series_choice::SeriesChoice;
use crate::short_names::short;
use tourbillon_coordinator::values::ColorChoice;
use tourbillon_present::Table;
use tourbillon_tool::exit::Stop;
use tourbillon_tool::screen::Page;
use tourbillon_tool::screen::style;
use tourbillon_tool::text_or_json::TextOrJson;

/// Options of this subcommand: which results are printed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Parts of ids or of printed names; each selects the cases that have it.
    pub cases: Vec<String>,
    /// Which series.
    pub series: SeriesChoice,
    /// Format: text or jsonl.
    pub format: TextOrJson,
    /// When text has colour.
    pub color: ColorChoice,
}

/// Prints the results of cases over time.
///
/// # Errors
///
/// What is wrong with the options, the history or this machine.
pub fn run(options: &Options, location: &Location) -> Result<(), Stop> {
    let mut history = location.open()?;
    let index = &mut *history.index;
    let runs = options.series.branch.newest(index)?;
    let all = options.series.select(index, &options.cases)?;
    let style = style(options.color);
    let mut text = String::new();
    for series in &all {
        for part in runs.parts(index, series)? {
            match options.format {
                TextOrJson::Json => text += &json_lines(series, &part),
                TextOrJson::Text => {
                    if !text.is_empty() {
                        text.push('\n');
                    }
                    text += &table(series, &part, &runs, &style);
                }
            }
        }
    }
    if text.is_empty() {
        let cases = options.cases.join(" or ");
        let what = format!("the history has no result of a case with {cases:?} on this branch");
        return Err(Stop::Usage(format!("{what}; `history add` adds records")));
    }
    options.format.print(&text)
}

fn table(series: &Series, part: &EqualPart<'_>, runs: &BranchRuns, style: &Style) -> String {
    let mut page = Page::new(style);
    let (metric, machine) = (&series.metric, runs.machine_name(&series.machine));
    page.quote(
        "",
        &format!(
            "{}, {metric}, on {machine} ({})",
            series.case, series.machine
        ),
    );
    if let Some(divide) = part.divide() {
        page.quote("", &divide.words());
    }
    let mut sheet = Table::new("commit")
        .left(["started"])
        .right(["per op", "99 % CI \u{b1}"]);
    for (run, point) in &part.points {
        let (value, width) = figure(series, point, style);
        let started = local_rfc3339(run.started_unix_ns);
        sheet.push([short(run).to_owned(), started, value, width]);
    }
    page.table(&sheet);
    page.text
}

/// A figure in its unit, and the relative half-width of its interval.
fn figure(series: &Series, point: &Point, style: &Style) -> (String, String) {
    let figure = Figure::new(point.value, point.lower, point.upper);
    let value = in_unit(figure, &series.unit, style);
    let width = figure
        .relative()
        .map_or_else(String::new, |width| format!("{:.2} %", 100.0 * width));
    (value, width)
}

fn json_lines(series: &Series, part: &EqualPart<'_>) -> String {
    let otherwise = part.divide().map(|divide| divide.facts);
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
            "built_otherwise": otherwise,
        });
        format!("{line}\n")
    };
    part.points.iter().map(line).collect()
}
