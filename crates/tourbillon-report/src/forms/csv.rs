//! Comma-separated values (RFC 4180, 2005), and their relative with semicolons.

use tourbillon_record::{Case, CaseResult};

use super::Sheet;
use crate::escape;
use crate::pieces::Pieces;
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

/// A line for each result of each case: what it is measured in, nanoseconds mostly, then in cycles where they are known, then what
/// was counted. What is absent is empty, and the column `absent` says why there is no estimate.
#[inline(never)]
pub(super) fn csv(sheets: &[Sheet<'_>], signs: Signs) -> String {
    let mut lines = Lines {
        text: String::new(),
        signs,
        begun: false,
    };
    let mut several = false;
    for sheet in sheets {
        several |= !sheet.name.is_empty();
    }
    if several {
        lines.field("run");
    }
    for column in Pieces::divided(COLUMNS, b' ') {
        lines.field(column);
    }
    lines.end();
    for sheet in sheets {
        for found in &found(sheet.table) {
            for result in &[found.main, found.cycles] {
                let Some(result) = result else { continue };
                lines.line(several, sheet.name, found.case, result);
            }
            for result in sheet.table.results {
                if result.metric.is_counted() && result.case == found.case.id {
                    lines.line(several, sheet.name, found.case, result);
                }
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

// Not inlined, as others here: a line is made of many calls of few functions.
impl Lines {
    #[inline(never)]
    fn line(&mut self, several: bool, run: &str, case: &Case, result: &CaseResult) {
        if several {
            self.field(run);
        }
        self.result(case, result);
        self.end();
    }

    fn result(&mut self, case: &Case, result: &CaseResult) {
        self.field(&result.case);
        self.field(&case.group);
        self.field(&case.name);
        let mut words = String::new();
        for argument in &case.arguments {
            push_word(&mut words, &argument.axis, ",");
            words.push('=');
            words.push_str(&argument.value);
        }
        self.field(&words);
        self.field(result.metric_name());
        self.field(result.unit());
        self.number(result.estimate.ok());
        self.number(result.lower);
        self.number(result.upper);
        self.number(result.confidence);
        self.field(result.scope.name());
        self.number(Some(result.systematic));
        self.count(u64::from(result.launches));
        self.count(result.samples);
        self.number(result.mean);
        self.number(result.stddev);
        self.number(result.mad);
        self.number(result.fixed_cost);
        self.number(result.first_call);
        self.number(result.resolution);
        self.count(result.ops);
        self.count(result.iterations);
        self.number(Some(result.elapsed_ns));
        self.field(&result.method);
        self.field(match result.estimate {
            Ok(_) => "",
            Err(absence) => absence.name(),
        });
        words.clear();
        for note in &result.notes {
            push_word(&mut words, note.name(), " ");
        }
        self.field(&words);
    }

    /// Begins a field.
    #[inline(never)]
    fn begin(&mut self) {
        if self.begun {
            self.text.push(self.signs.field);
        }
        self.begun = true;
    }

    #[inline(never)]
    fn field(&mut self, text: &str) {
        self.begin();
        let start = self.text.len();
        let mut quoted = false;
        for c in escape(text, true).chars() {
            quoted |= matches!(c, '"' | ',' | ';');
            self.text.push(c);
            if c == '"' {
                self.text.push(c);
            }
        }
        if quoted {
            self.text.insert(start, '"');
            self.text.push('"');
        }
    }

    /// A number with all its digits; nothing where there is none.
    #[inline(never)]
    fn number(&mut self, number: Option<f64>) {
        self.begin();
        let Some(number) = number else { return };
        let mut digits = String::new();
        append(&mut digits, format_args!("{number}"));
        for c in digits.chars() {
            self.text
                .push(if c == '.' { self.signs.decimal } else { c });
        }
    }

    #[inline(never)]
    fn count(&mut self, count: u64) {
        self.begin();
        append(&mut self.text, format_args!("{count}"));
    }

    fn end(&mut self) {
        self.begun = false;
        self.text.push_str("\r\n");
    }
}

/// Appends a word behind those that are there.
#[inline(never)]
fn push_word(words: &mut String, word: &str, between: &str) {
    if !words.is_empty() {
        words.push_str(between);
    }
    words.push_str(word);
}
