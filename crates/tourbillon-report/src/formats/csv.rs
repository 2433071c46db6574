//! Comma-separated values (RFC 4180, 2005), and their relative with semicolons.

use tourbillon_present::figure::per_second;
use tourbillon_present::text_field;
use tourbillon_record::{Case, CaseResult, Metric};

use crate::table::{InCsv, extra_figures, found};
use crate::{CaseResults, OptionalColumn, TableData};

/// What separates fields, and what a number's whole part from its fraction.
#[derive(Clone, Copy)]
pub(super) struct Signs {
    field: &'static str,
    decimal: &'static str,
}

impl Signs {
    fn number(self, number: f64) -> String {
        number.to_string().replace('.', self.decimal)
    }
}

pub(super) const POINT: Signs = Signs {
    field: ",",
    decimal: ".",
};
pub(super) const COMMA: Signs = Signs {
    field: ";",
    decimal: ",",
};

/// Ends a line.
const END: &str = "\r\n";

/// A result of a case, as a line.
struct Line<'a> {
    case: &'a Case,
    result: &'a CaseResult,
    signs: Signs,
}

/// The columns and their fields, except for the run, which comes first where there are several.
type Field = fn(&Line<'_>) -> String;
const COLUMNS: [(&str, Field); 28] = [
    ("case", |row| field(&row.result.case)),
    ("group", |row| field(&row.case.group)),
    ("name", |row| field(&row.case.name)),
    ("arguments", |row| field(&row.arguments())),
    ("metric", |row| field(row.result.metric_name())),
    ("unit", |row| field(row.result.unit())),
    ("estimate", |row| row.optional(row.result.estimate.ok())),
    ("lower", |row| row.optional(row.result.lower)),
    ("upper", |row| row.optional(row.result.upper)),
    ("confidence", |row| row.optional(row.result.confidence)),
    ("scope", |row| field(row.result.scope.name())),
    ("systematic", |row| row.signs.number(row.result.systematic)),
    ("launches", |row| row.result.launches.to_string()),
    ("samples", |row| row.result.samples.to_string()),
    ("mean", |row| row.optional(row.result.mean)),
    ("stddev", |row| row.optional(row.result.stddev)),
    ("mad", |row| row.optional(row.result.mad)),
    ("fixed_cost", |row| row.optional(row.result.fixed_cost)),
    ("first_call", |row| row.optional(row.result.first_call)),
    ("resolution", |row| row.optional(row.result.resolution)),
    ("ops", |row| row.result.ops.to_string()),
    ("iterations", |row| row.result.iterations.to_string()),
    ("elapsed_ns", |row| row.signs.number(row.result.elapsed_ns)),
    ("method", |row| field(&row.result.method)),
    ("absent", |row| {
        field(
            row.result
                .estimate
                .err()
                .map_or("", |absence| absence.name()),
        )
    }),
    ("notes", |row| field(&row.notes())),
    ("throughput", |row| {
        row.rate()
            .map_or_else(String::new, |(rate, _)| row.signs.number(rate))
    }),
    ("throughput_unit", |row| {
        row.rate().map_or_else(String::new, |(_, unit)| unit)
    }),
];

/// Whether a requested column is not among these.
fn is_added(column: OptionalColumn) -> bool {
    column.csv == InCsv::OnRequest
}

/// A line for each result of each case: first the metric that it is measured in, nanoseconds mostly, then
/// cycles where they are known, then percentiles of single calls, then what was counted. What is absent is empty;
/// the column `absent` has the reason for a missing estimate. Columns on request come last, where they are not
/// among the others.
pub(super) fn csv(title: &str, sheets: &[TableData<'_>], signs: Signs) -> String {
    let several = sheets.iter().any(|sheet| !sheet.name.is_empty());
    let columns = sheets
        .first()
        .map_or(&[][..], |sheet| sheet.table.options.columns);
    let mut titles: Vec<&str> = Vec::new();
    if several {
        titles.push(title);
    }
    titles.extend(COLUMNS.map(|(name, _)| name));
    let added = columns.iter().filter(|column| is_added(**column));
    titles.extend(added.map(|column| column.name()));
    let mut text = titles.join(signs.field) + END;
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
                let mut line = Vec::new();
                if several {
                    line.push(field(sheet.name));
                }
                let own = Line {
                    case: found.case,
                    result,
                    signs,
                };
                line.extend(COLUMNS.map(|(_, field)| field(&own)));
                for (column, figure) in columns.iter().zip(&extra) {
                    if is_added(*column) {
                        // They are of what the case is measured in.
                        let own = figure.filter(|_| result.metric.is_main());
                        let value = own.map(|figure| signs.number(figure.value));
                        line.push(value.unwrap_or_default());
                    }
                }
                text += &line.join(signs.field);
                text += END;
            }
        }
    }
    text
}

impl Line<'_> {
    fn optional(&self, value: Option<f64>) -> String {
        value
            .map(|value| self.signs.number(value))
            .unwrap_or_default()
    }

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

    /// The throughput, and its unit.
    fn rate(&self) -> Option<(f64, String)> {
        let throughput = self
            .result
            .throughput
            .filter(|_| self.result.metric == Metric::Time)?;
        let rate = per_second(self.result.estimate.ok()?, throughput)?;
        Some((rate, format!("{}/s", throughput.unit.name())))
    }
}

/// A field of text, quoted in both forms if it has a sign of one.
fn field(text: &str) -> String {
    text_field(text, &['"', ',', ';'])
}
