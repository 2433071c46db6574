//! Results as documents, and how documents are drawn.
//!
//! What prints results makes a [`Document`]: a title, tables, notes, and the answer in words. The renderers draw it as
//! text for a terminal of any width, as Markdown, CSV and JSON; `tourbillon-pictures` draws it as a part of a page. They
//! know nothing of what was measured. Every number, outcome and reason is written here, so that it has the same words
//! everywhere.
//!
//! Data in, text out: nothing here prints, reads a clock or queries the terminal. A bench program links this crate.

#![forbid(unsafe_code)]
#![warn(clippy::match_bool)]

pub mod advice;
mod change;
mod counts;
mod csv;
mod document;
mod escape;
mod escaped_stream;
pub mod figure;
mod format;
mod json;
pub mod kind;
mod labels;
mod lines;
pub mod markdown;
mod note;
pub mod number;
mod outcome;
mod ratio;
mod runner_commands;
mod shell;
mod style;
mod text;
mod verdicts;

pub use advice::{Explanation, Reason, Remedy, SLACK, needs_time, round_above};
pub use change::Change;
pub use counts::{bytes, counted_figure, counted_figures, is_exact, same_count};
pub use csv::CsvForm;
pub use document::{
    Audience, Block, Cell, Column, Document, Mark, Meaning, Phrase, Place, Row, Table, Value, line,
};
pub use escape::{beginning, display_width, escape, escape_lines, escape_page, padded, shortened};
pub use escaped_stream::EscapedStream;
pub use figure::{Figure, measured};
pub use format::Format;
pub use kind::Kind;
pub use lines::TextLines;
pub use note::{Note, first_names, limit_notes};
pub use number::{counted, duration, trimmed_percent};
pub use outcome::{Outcome, SAME_CODE, Status};
pub use ratio::Ratio;
pub use runner_commands::{escape_commands, escape_json};
pub use shell::{shell_operand, shell_word};
pub use style::{Glyphs, Ink, Style};
pub use text::paragraph;
pub use verdicts::{Judged, RATIO, ratio_apart, tally, verdict_table};
