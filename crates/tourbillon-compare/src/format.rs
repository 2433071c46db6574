//! The formats of results.

use tourbillon_present::Document;
use tourbillon_report::Style;
use tourbillon_tool::exit::{Stop, print_data, print_page};

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    Text,
    /// Markdown.
    Md,
    /// Comma-separated values.
    Csv,
    /// A document of JSON.
    Json,
    /// A line of JSON for each verdict.
    Jsonl,
}

impl Format {
    /// As typed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Md => "md",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
        }
    }

    /// Prints what is in this format.
    pub(crate) fn print(self, output: &str) -> Result<(), Stop> {
        match self {
            Format::Text | Format::Md => print_page(output),
            Format::Csv | Format::Json | Format::Jsonl => print_data(output),
        }
    }

    /// A document in this format; `lines` are those of JSON.
    pub(crate) fn render(
        self,
        document: &Document,
        style: &Style,
        lines: impl FnOnce() -> String,
    ) -> Result<String, Stop> {
        Ok(match self {
            Format::Text => document.text(style),
            Format::Md => document.markdown(),
            Format::Csv => document.csv(),
            Format::Json => document.json("comparison", 1),
            Format::Jsonl => lines(),
        })
    }
}
