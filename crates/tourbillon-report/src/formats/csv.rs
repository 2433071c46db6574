//! Comma-separated values (RFC 4180, 2005), and their relative with semicolons.

use tourbillon_present::figure::per_second;
use tourbillon_present::{Cell, Column, CsvForm, Table};
use tourbillon_record::{Case, CaseResult, Metric};

use crate::table::{InCsv, extra_figures, found};
use crate::{CaseResults, OptionalColumn, TableData};

/// Texts are in quotation marks in both forms if they have a sign of one.
pub(super) const POINT: CsvForm = CsvForm {
    field: ",",
    decimal: ".",
    end: "\r\n",
    quoted: &['"', ',', ';'],
};
pub(super) const COMMA: CsvForm = CsvForm {
    field: ";",
    decimal: ",",
    ..POINT
};

/// A result of a case, as a line.
struct Line<'a> {
    case: &'a Case,
    result: &'a CaseResult,
}

/// The columns and their fields, except for the run, which comes first where there are several.
type Field = fn(&Line<'_>) -> Cell;
const COLUMNS: [(&str, Field); 28] = [
    ("case", |row| text(&row.result.case)),
    ("group", |row| text(&row.case.group)),
    ("name", |row| text(&row.case.name)),
    ("arguments", |row| text(row.arguments())),
    ("metric", |row| text(row.result.metric_name())),
    ("unit", |row| text(row.result.unit())),
    ("estimate", |row| number(row.result.estimate.ok())),
    ("lower", |row| number(row.result.lower)),
    ("upper", |row| number(row.result.upper)),
    ("confidence", |row| number(row.result.confidence)),
    ("scope", |row| text(row.result.scope.name())),
    ("systematic", |row| number(Some(row.result.systematic))),
    ("launches", |row| text(row.result.launches.to_string())),
    ("samples", |row| text(row.result.samples.to_string())),
    ("mean", |row| number(row.result.mean)),
    ("stddev", |row| number(row.result.stddev)),
    ("mad", |row| number(row.result.mad)),
    ("fixed_cost", |row| number(row.result.fixed_cost)),
    ("first_call", |row| number(row.result.first_call)),
    ("resolution", |row| number(row.result.resolution)),
    ("ops", |row| text(row.result.ops.to_string())),
    ("iterations", |row| text(row.result.iterations.to_string())),
    ("elapsed_ns", |row| number(Some(row.result.elapsed_ns))),
    ("method", |row| text(&row.result.method)),
    ("absent", |row| text(row.absence())),
    ("notes", |row| text(row.notes())),
    ("throughput", |row| number(row.rate())),
    ("throughput_unit", |row| text(row.rate_unit())),
];

/// Whether a requested column is not among these.
fn is_added(column: OptionalColumn) -> bool {
    column.csv == InCsv::OnRequest
}

/// A line for each result of each case: first the metric that it is measured in, nanoseconds mostly, then
/// cycles where they are known, then percentiles of single calls, then what was counted. What is absent is empty;
/// the column `absent` has the reason for a missing estimate. Columns on request come last, where they are not
/// among the others.
pub(super) fn csv(title: &str, sheets: &[TableData<'_>], form: &CsvForm) -> String {
    let several = sheets.iter().any(|sheet| !sheet.name.is_empty());
    let columns = sheets
        .first()
        .map_or(&[][..], |sheet| sheet.table.options.columns);
    let added = columns.iter().filter(|column| is_added(**column));
    let titles = several.then_some(title).into_iter();
    let titles = titles.chain(COLUMNS.map(|(name, _)| name));
    let titles = titles.chain(added.map(|column| column.name()));
    let mut table = Table {
        columns: titles.map(Column::of_programs).collect(),
        ..Table::default()
    };
    for sheet in sheets {
        let rows = found(sheet.table);
        let extra = extra_figures(&rows, sheet.table);
        let results = CaseResults::of(sheet.table.results);
        for (found, extra) in rows.iter().zip(extra) {
            let others = results
                .case(&found.case.id)
                .iter()
                .copied()
                .filter(|result| {
                    let is_main = found.main.is_some_and(|main| std::ptr::eq(main, *result));
                    !is_main && result.metric != Metric::Cycles
                });
            for result in found.main.into_iter().chain(found.cycles).chain(others) {
                let line = Line {
                    case: found.case,
                    result,
                };
                let name = several.then(|| Cell::text(sheet.name));
                let added = columns.iter().zip(&extra);
                let added = added.filter(|(column, _)| is_added(**column));
                // They are of what the case is measured in.
                let added = added.map(|(_, figure)| {
                    let own = figure.filter(|_| result.metric.is_main());
                    number(own.map(|figure| figure.value))
                });
                let own = COLUMNS.map(|(_, cell)| cell(&line));
                table.push(name.into_iter().chain(own).chain(added));
            }
        }
    }
    table.csv(form)
}

fn text(text: impl Into<String>) -> Cell {
    Cell::text(text)
}

fn number(value: Option<f64>) -> Cell {
    Cell::number("", value)
}

impl Line<'_> {
    fn arguments(&self) -> String {
        let arguments = self.case.arguments.iter();
        let texts: Vec<String> = arguments
            .map(|argument| format!("{}={}", argument.axis, argument.value))
            .collect();
        texts.join(",")
    }

    fn notes(&self) -> String {
        let names: Vec<_> = self.result.notes.iter().map(|note| note.name()).collect();
        names.join(" ")
    }

    fn absence(&self) -> &'static str {
        let absence = self.result.estimate.err();
        absence.map_or("", |absence| absence.name())
    }

    /// What is processed in a second of a wall time.
    fn rate(&self) -> Option<f64> {
        let throughput = self.result.throughput?;
        let is_time = self.result.metric == Metric::Time;
        per_second(self.result.estimate.ok().filter(|_| is_time)?, throughput)
    }

    fn rate_unit(&self) -> String {
        let unit = self.rate().and(self.result.throughput);
        unit.map_or_else(String::new, |it| format!("{}/s", it.unit.name()))
    }
}
