//! `history log`.

use serde_json::json;
use tourbillon_clock::wall::local_rfc3339;
use tourbillon_coordinator::values::ColorChoice;
use tourbillon_present::kind::LOG;
use tourbillon_present::{Audience, Block, Cell, Column, Document, Format, Table};
use tourbillon_report::{Figure, Style};
use tourbillon_tool::exit::{Stop, print_document};
use tourbillon_tool::screen::style;

use crate::equal_builds::EqualPart;
use crate::index::{IndexedRun, Point, Series};
use crate::listing::in_unit;
use crate::location::Location;
use crate::series_choice::SeriesChoice;
use crate::short_names::short;

/// Options of this subcommand: which results are printed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Parts of ids or of printed names; each selects the cases that have it.
    pub cases: Vec<String>,
    /// Which series.
    pub series: SeriesChoice,
    /// How they are printed.
    pub format: Format,
    /// When text has colour.
    pub color: ColorChoice,
}

/// Prints the results of cases over time.
///
/// # Errors
///
/// What is wrong with the options, the history or this machine.
pub fn run(options: &Options, location: &Location) -> Result<(), Stop> {
    let mut history = location.open_existing()?;
    let index = &mut *history.index;
    let runs = options.series.branch.newest(index)?;
    let all = options.series.select(index, &options.cases)?;
    let style = style(options.color);
    let mut document = Document::default();
    let mut lines = String::new();
    for series in &all {
        for part in runs.parts(index, series)? {
            let (metric, machine) = (&series.metric, runs.machine_name(&series.machine));
            let heading = format!(
                "{}, {metric}, on {machine} ({})",
                series.case, series.machine
            );
            let mut texts = vec![heading];
            texts.extend(part.divide().map(|divide| divide.words()));
            let mut group: Vec<Block> = texts.into_iter().map(Block::text).collect();
            group.push(Block::Table(table(series, &part, &style)));
            document.blocks.push(Block::Group(group));
            lines += &json_lines(series, &part);
        }
    }
    if document.blocks.is_empty() {
        let cases = options.cases.join(" or ");
        let what = format!("the history has no result of a case with {cases:?} on this branch");
        return Err(Stop::Usage(format!(
            "{what}; `history add` adds records of runs. Comparisons have no place in a series: \
             `cargo tourbillon show RECORD` shows one"
        )));
    }
    print_document(&document, options.format, &LOG, &style, || lines)
}

fn table(series: &Series, part: &EqualPart<'_>, style: &Style) -> Table {
    let mut table = Table::of([
        Column::left("commit", "commit"),
        Column::left("started", "started").giving_way(0),
        Column::right("value", "per op"),
        Column::right("interval", style.half_width(0.99))
            .for_audience(Audience::People)
            .giving_way(1),
    ])
    .of_programs("lower upper unit case metric machine");
    for (run, point) in &part.points {
        let (value, width) = figure(series, point, style);
        table.push([
            Cell::text(short(run)),
            Cell::text(local_rfc3339(run.started_unix_ns)),
            Cell::number(value, Some(point.value)),
            Cell::text(width),
            Cell::number("", point.lower),
            Cell::number("", point.upper),
            Cell::text(&*series.unit),
            Cell::text(&*series.case),
            Cell::text(&*series.metric),
            Cell::text(&*series.machine),
        ]);
    }
    table
}

/// A figure in its unit, and the width of its interval.
pub(crate) fn figure(series: &Series, point: &Point, style: &Style) -> (String, String) {
    let figure = Figure::new(point.value, point.lower, point.upper);
    let shown = |figure| in_unit(figure, &series.unit, style);
    let spread = figure.spread(shown, style);
    (shown(figure), spread.unwrap_or_default())
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
