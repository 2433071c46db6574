//! Comma-separated values (RFC 4180, 2005), and their relative with semicolons.

use tourbillon_record::{Case, CaseResult, Metric};

use crate::figure::per_second;
use crate::table::{found, requested};
use crate::{CaseResults, Figure, OptionalColumn, TableData, escape};

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

/// The columns, except for the run, which comes first where there are several.
const COLUMNS: &str = "case group name arguments metric unit estimate lower upper confidence scope \
    systematic launches samples mean stddev mad fixed_cost first_call resolution ops iterations \
    elapsed_ns method absent notes throughput throughput_unit";

/// Whether a requested column is not among these.
fn is_added(column: OptionalColumn) -> bool {
    use OptionalColumn::{Mad, Mean, StdDev};
    !matches!(column, Mean | StdDev | Mad)
}

/// A line for each result of each case: first the metric that it is measured in, nanoseconds mostly, then
/// cycles where they are known, then percentiles of single calls, then what was counted. What is absent is empty;
/// the column `absent` has the reason for a missing estimate. Columns on request come last, where they are not
/// among the others.
pub(super) fn csv(title: &str, sheets: &[TableData<'_>], signs: Signs) -> String {
    let several = sheets.iter().any(|sheet| !sheet.name.is_empty());
    let run = |name: &str| several.then(|| name.to_owned());
    let columns = sheets
        .first()
        .map_or(&[][..], |sheet| sheet.table.options.columns);
    let added = columns.iter().filter(|column| is_added(**column));
    let titles = run(title)
        .into_iter()
        .chain(COLUMNS.split(' ').map(str::to_owned))
        .chain(added.map(|column| column.name().to_owned()));
    let mut lines = vec![titles.collect::<Vec<_>>()];
    for sheet in sheets {
        let rows = found(sheet.table);
        let figures = requested(&rows, sheet.table);
        let results = CaseResults::of(sheet.table.results);
        for (found, figures) in rows.iter().zip(figures) {
            let others = results.case(&found.case.id).iter().copied();
            let others = others.filter(|result| {
                let is_main = found.main.is_some_and(|main| std::ptr::eq(main, *result));
                !is_main && result.metric != Metric::Cycles
            });
            let results = [found.main, found.cycles].into_iter().flatten();
            for result in results.chain(others) {
                let run = run(sheet.name).map(|run| field(&run)).into_iter();
                let fields = fields(found.case, result, signs);
                // They are of what the case is measured in.
                let figures = figures
                    .iter()
                    .map(|figure| figure.filter(|_| result.metric.is_main()));
                let added = columns
                    .iter()
                    .zip(figures)
                    .filter(|(column, _)| is_added(**column));
                let added = added.map(|(_, figure): (_, Option<Figure>)| {
                    figure.map_or_else(String::new, |figure| signs.number(figure.value))
                });
                lines.push(run.chain(fields).chain(added).collect());
            }
        }
    }
    let lines = lines
        .into_iter()
        .map(|fields| fields.join(signs.field) + "\r\n");
    lines.collect()
}

/// The fields of a result.
fn fields(case: &Case, result: &CaseResult, signs: Signs) -> Vec<String> {
    let number = |number: f64| signs.number(number);
    let optional = |value: Option<f64>| value.map(number).unwrap_or_default();
    let arguments = case.arguments.iter();
    let arguments = arguments.map(|argument| format!("{}={}", argument.axis, argument.value));
    let arguments = arguments.collect::<Vec<_>>().join(",");
    let notes: Vec<_> = result.notes.iter().map(|note| note.name()).collect();
    let throughput = result.throughput.filter(|_| result.metric == Metric::Time);
    let rate = throughput.zip(result.estimate.ok());
    let rate = rate.and_then(|(throughput, ns)| per_second(ns, throughput));
    let rate_unit = throughput.filter(|_| rate.is_some());
    let rate_unit = rate_unit.map(|throughput| format!("{}/s", throughput.unit.name()));
    vec![
        field(&result.case),
        field(&case.group),
        field(&case.name),
        field(&arguments),
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
        optional(rate),
        rate_unit.unwrap_or_default(),
    ]
}

/// A field of text. Spreadsheets take one that begins with one of four signs for a formula, which can
/// start programs: it gets an apostrophe before it, by which they know text. Numbers stay as they are.
fn field(text: &str) -> String {
    let mut text = escape(text, true);
    if text.starts_with(['=', '+', '-', '@']) {
        text.insert(0, '\'');
    }
    if text.contains(['"', ',', ';']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}
