//! Results as documents, and how documents are drawn.
//!
//! A command that prints results makes a [`Document`]: a title, tables, notes, and the answer in words. The renderers
//! draw it as text for a terminal of any width, as Markdown, as CSV, and as JSON. Nothing else here knows what was
//! measured.
//!
//! A part of Tourbillon; use the command `cargo tourbillon`.

#![forbid(unsafe_code)]
#![warn(clippy::match_bool)]

mod csv;
mod document;
mod json;
pub mod markdown;
mod text;

pub use document::{Audience, Block, Cell, Column, Document, Mark, Note, Row, Table, Value};
pub use text::paragraph;
pub use tourbillon_report::Ink;
