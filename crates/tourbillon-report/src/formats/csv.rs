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

/// The columns, except for the run, which comes first where there are several.
const COLUMNS: &str = "case group name arguments metric unit estimate lower upper confidence scope \
    systematic launches samples mean stddev mad fixed_cost first_call resolution ops iterations \
    elapsed_ns method absent notes throughput throughput_unit";

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
    titles.extend(COLUMNS.split(' '));
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
                line.extend(fields(found.case, result, signs));
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

/// The fields of a result.
fn fields(case: &Case, result: &CaseResult, signs: Signs) -> Vec<String> {
    let number = |number: f64| signs.number(number);
    let optional = |value: Option<f64>| value.map(number).unwrap_or_default();
    let mut arguments = Vec::new();
    for argument in &case.arguments {
        arguments.push(format!("{}={}", argument.axis, argument.value));
    }
    let notes: Vec<_> = result.notes.iter().map(|note| note.name()).collect();
    let throughput = result.throughput.filter(|_| result.metric == Metric::Time);
    let rate = throughput
        .zip(result.estimate.ok())
        .and_then(|(throughput, ns)| {
            let unit = format!("{}/s", throughput.unit.name());
            Some((number(per_second(ns, throughput)?), unit))
        });
    let (rate, rate_unit) = rate.unwrap_or_default();
    vec![
        field(&result.case),
        field(&case.group),
        field(&case.name),
        field(&arguments.join(",")),
        field(result.metric_name()),
        field(result.unit()),
        optional(result.estimate.ok()),
        optional(result.lower),
        optional(result.upper),
        optional(result.confidence),
        field(result.scope.name()),
        number(result.systematic),
        result.launches.to_string(),
        result.samples.to_string(),
        optional(result.mean),
        optional(result.stddev),
        optional(result.mad),
        optional(result.fixed_cost),
        optional(result.first_call),
        optional(result.resolution),
        result.ops.to_string(),
        result.iterations.to_string(),
        number(result.elapsed_ns),
        field(&result.method),
        field(result.estimate.err().map_or("", |absence| absence.name())),
        field(&notes.join(" ")),
        rate,
        rate_unit,
    ]
}

/// A field of text, quoted in both forms if it has a sign of one.
fn field(text: &str) -> String {
    text_field(text, &['"', ',', ';'])
}
