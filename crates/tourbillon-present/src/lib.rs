//! Results as documents, and how documents are drawn.
//!
//! A command that prints results makes a [`Document`]: a title, tables, notes, and the answer in words. The renderers
//! draw it as text for a terminal of any width, as Markdown, CSV, JSON, and as a part of a page. Nothing else here knows what was
//! measured.
//!
//! A part of Tourbillon; use the command `cargo tourbillon`.

#![forbid(unsafe_code)]
#![warn(clippy::match_bool)]

mod csv;
mod document;
mod format;
mod html;
mod json;
pub mod markdown;
mod text;
mod verdicts;

pub use document::{
    Audience, Block, Cell, Column, Document, Mark, Note, Phrase, Row, Table, Value, line,
};
pub use format::Format;
pub use text::paragraph;
pub use tourbillon_report::Ink;
pub use verdicts::{Judged, tally, verdict_table};
