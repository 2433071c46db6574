//! Comma-separated values (RFC 4180, 2005), and their relative with semicolons.

use std::mem::take;

use tourbillon_record::{Case, CaseResult};

use super::TableData;
use crate::escape;
use crate::pieces::Pieces;
use crate::table::{Found, found};
use crate::text::{append, push, same};

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
pub(super) fn csv(title: &str, sheets: &[TableData<'_>], signs: Signs) -> String {
    let mut lines = Lines {
        text: String::new(),
        words: String::new(),
        signs,
        begun: false,
        several: false,
    };
    lines.add(title, sheets);
    lines.text
}

struct Lines {
    text: String,
    /// What a field is put together in.
    words: String,
    signs: Signs,
    /// Whether there is a field on the line.
    begun: bool,
    /// Whether there are several runs.
    several: bool,
}

// Not inlined, as others here: a line is made of many calls of few functions.
impl Lines {
    #[inline(never)]
    fn add(&mut self, title: &str, sheets: &[TableData<'_>]) {
        for sheet in sheets {
            self.several |= !sheet.name.is_empty();
        }
        if self.several {
            self.field(title);
        }
        for column in Pieces::divided(COLUMNS, b' ') {
            self.field(column);
        }
        self.end();
        for sheet in sheets {
            self.sheet(sheet, &found(sheet.table));
        }
    }

    #[inline(never)]
    fn sheet(&mut self, sheet: &TableData<'_>, found: &[Found<'_>]) {
        for found in found {
            self.line(sheet, found.case, found.main);
            self.line(sheet, found.case, found.cycles);
            for result in sheet.table.results {
                if result.metric.is_counted() && same(&result.case, &found.case.id) {
                    self.line(sheet, found.case, Some(result));
                }
            }
        }
    }

    #[inline(never)]
    fn line(&mut self, sheet: &TableData<'_>, case: &Case, result: Option<&CaseResult>) {
        let Some(result) = result else { return };
        if self.several {
            self.field(sheet.name);
        }
        self.field(&result.case);
        self.field(&case.group);
        self.field(&case.name);
        for argument in &case.arguments {
            self.word(&argument.axis, ",");
            self.words.push('=');
            push(&mut self.words, &argument.value);
        }
        self.words();
        self.field(result.metric_name());
        self.field(result.unit());
        self.numbers(&[
            result.estimate.ok(),
            result.lower,
            result.upper,
            result.confidence,
        ]);
        self.field(result.scope.name());
        self.numbers(&[Some(result.systematic)]);
        self.count(u64::from(result.launches));
        self.count(result.samples);
        self.numbers(&[
            result.mean,
            result.stddev,
            result.mad,
            result.fixed_cost,
            result.first_call,
            result.resolution,
        ]);
        self.count(result.ops);
        self.count(result.iterations);
        self.numbers(&[Some(result.elapsed_ns)]);
        self.field(&result.method);
        self.field(match result.estimate {
            Ok(_) => "",
            Err(absence) => absence.name(),
        });
        for note in &result.notes {
            self.word(note.name(), " ");
        }
        self.words();
        self.end();
    }

    /// Begins a field.
    #[inline(never)]
    fn begin(&mut self) {
        if self.begun {
            self.text.push(self.signs.field);
        }
        self.begun = true;
    }

    /// A field of text. Spreadsheets take one that begins with one of four signs for a formula, which
    /// can start programs: it gets an apostrophe before it, by which they know text. Numbers have a
    /// function of their own and stay as they are.
    #[inline(never)]
    fn field(&mut self, text: &str) {
        self.begin();
        let mut text = escape(text, true);
        if matches!(text.as_bytes().first(), Some(b'=' | b'+' | b'-' | b'@')) {
            text.insert(0, '\'');
        }
        let mut quote = "";
        for byte in text.as_bytes() {
            if matches!(byte, b'"' | b',' | b';') {
                quote = "\"";
            }
        }
        push(&mut self.text, quote);
        let mut between = "";
        for piece in Pieces::divided(&text, b'"') {
            push(&mut self.text, between);
            push(&mut self.text, piece);
            between = "\"\"";
        }
        push(&mut self.text, quote);
    }

    /// Adds a word to those of the field to come, behind what stands between two.
    #[inline(never)]
    fn word(&mut self, word: &str, between: &str) {
        if !self.words.is_empty() {
            push(&mut self.words, between);
        }
        push(&mut self.words, word);
    }

    /// A field of the words that were added.
    #[inline(never)]
    fn words(&mut self) {
        let words = take(&mut self.words);
        self.field(&words);
    }

    /// Numbers with all their digits; nothing where there is none.
    #[inline(never)]
    fn numbers(&mut self, numbers: &[Option<f64>]) {
        for number in numbers {
            self.begin();
            let Some(number) = *number else { continue };
            append(&mut self.words, format_args!("{number}"));
            let mut parts = Pieces::divided(&self.words, b'.');
            push(&mut self.text, parts.next().unwrap_or_default());
            if let Some(fraction) = parts.rest() {
                self.text.push(self.signs.decimal);
                push(&mut self.text, fraction);
            }
            self.words.clear();
        }
    }

    #[inline(never)]
    fn count(&mut self, count: u64) {
        self.begin();
        append(&mut self.text, format_args!("{count}"));
    }

    fn end(&mut self) {
        self.begun = false;
        push(&mut self.text, "\r\n");
    }
}
