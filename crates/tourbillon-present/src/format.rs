//! The formats of a document.

use tourbillon_report::Style;

use crate::document::Document;

/// How a document is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// Markdown.
    Md,
    /// Comma-separated values: a table after the other, each with its titles.
    Csv,
    /// An object of JSON.
    Json,
    /// A page without other files.
    Html,
    /// A line of JSON for each result, of commands that have such lines.
    Jsonl,
}

impl Format {
    /// As typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Md => "md",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Html => "html",
            Format::Jsonl => "jsonl",
        }
    }

    /// Whether people read it, on a terminal that may be closed early.
    #[must_use]
    pub fn is_for_people(self) -> bool {
        matches!(self, Format::Text | Format::Md)
    }
}

impl Document {
    /// The document in a format. `kind` and `version` are those of its JSON; `lines` are its results as lines.
    ///
    /// # Errors
    ///
    /// When a cell cannot be written as CSV.
    pub fn render(
        &self,
        format: Format,
        kind: &str,
        version: u32,
        style: &Style,
        lines: impl FnOnce() -> String,
    ) -> Result<String, String> {
        Ok(match format {
            Format::Text => self.text(style),
            Format::Md => self.markdown(),
            Format::Csv => self.csv().map_err(|error| error.to_string())?,
            Format::Json => self.json(kind, version),
            Format::Html => self.page(kind, version),
            Format::Jsonl => lines(),
        })
    }
}
