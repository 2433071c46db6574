//! Comma-separated values (RFC 4180, 2005), and their relative with semicolons.

use tourbillon_record::{Case, CaseResult};

use super::Sheet;
use crate::escape;
use crate::table::found;
use crate::text::append;

/// What stands between fields, and what between a number's whole and its fraction.
#[derive(Clone, Copy)]
pub(super) struct Signs {
    field: char,
    decimal: char,
}

pub(super) const POINT: Signs = Signs {
    field: ',',
    decimal: '.',
};
pub(super) const COMMA: Signs = Signs {
    field: ';',
    decimal: ',',
};

/// The columns, but for the run, which comes first where there are several.
const COLUMNS: &str = "case group name arguments metric unit estimate lower upper confidence scope \
    systematic launches samples mean stddev mad fixed_cost first_call resolution ops iterations \
    elapsed_ns method absent notes";

/// A line for each result of each case: in nanoseconds, then in cycles where they are known. What is
/// absent is empty, and the column `absent` says why there is no estimate.
pub(super) fn csv(sheets: &[Sheet<'_>], signs: Signs) -> String {
    let mut lines = Lines {
        text: String::new(),
        signs,
        begun: false,
    };
    let several = sheets.iter().any(|sheet| !sheet.name.is_empty());
    if several {
        lines.field("run");
    }
    for column in COLUMNS.split_ascii_whitespace() {
        lines.field(column);
    }
    lines.end();
    for sheet in sheets {
        for found in &found(sheet.table) {
            for result in [found.time, found.cycles].into_iter().flatten() {
                if several {
                    lines.field(sheet.name);
                }
                lines.result(found.case, result);
                lines.end();
            }
        }
    }
    lines.text
}

struct Lines {
    text: String,
    signs: Signs,
    /// Whether there is a field on the line.
    begun: bool,
}

impl Lines {
    fn result(&mut self, case: &Case, result: &CaseResult) {
        self.field(&result.case);
        self.field(&case.group);
        self.field(&case.name);
        let mut arguments = String::new();
        for argument in &case.arguments {
            let comma = if arguments.is_empty() { "" } else { "," };
            append(
                &mut arguments,
                format_args!("{comma}{}={}", argument.axis, argument.value),
            );
        }
        self.field(&arguments);
        self.field(result.metric.name());
        self.field(result.metric.unit());
        self.number(result.estimate.ok());
        self.number(result.lower);
        self.number(result.upper);
        self.number(result.confidence);
        self.field(result.scope.name());
        self.number(Some(result.systematic));
        self.count(u64::from(result.launches));
        self.count(result.samples);
        for figure in [
            result.mean,
            result.stddev,
            result.mad,
            result.fixed_cost,
            result.first_call,
            result.resolution,
        ] {
            self.number(figure);
        }
        self.count(result.ops);
        self.count(result.iterations);
        self.number(Some(result.elapsed_ns));
        self.field(&result.method);
        self.field(result.estimate.err().map_or("", |absence| absence.name()));
        let mut notes = String::new();
        for note in &result.notes {
            notes.push_str(if notes.is_empty() { "" } else { " " });
            notes.push_str(note.name());
        }
        self.field(&notes);
    }

    #[inline(never)]
    fn field(&mut self, text: &str) {
        if self.begun {
            self.text.push(self.signs.field);
        }
        self.begun = true;
        let text = escape(text, true);
        let plain = |c: char| c != '"' && c != ',' && c != ';';
        if text.chars().all(plain) {
            self.text.push_str(&text);
            return;
        }
        self.text.push('"');
        for c in text.chars() {
            self.text.push(c);
            if c == '"' {
                self.text.push(c);
            }
        }
        self.text.push('"');
    }

    /// A number with all its digits; nothing where there is none.
    #[inline(never)]
    fn number(&mut self, number: Option<f64>) {
        if self.begun {
            self.text.push(self.signs.field);
        }
        self.begun = true;
        let mut digits = String::new();
        if let Some(number) = number {
            append(&mut digits, format_args!("{number}"));
        }
        for c in digits.chars() {
            self.text
                .push(if c == '.' { self.signs.decimal } else { c });
        }
    }

    #[inline(never)]
    fn count(&mut self, count: u64) {
        let mut digits = String::new();
        append(&mut digits, format_args!("{count}"));
        self.field(&digits);
    }

    fn end(&mut self) {
        self.begun = false;
        self.text.push_str("\r\n");
    }
}
