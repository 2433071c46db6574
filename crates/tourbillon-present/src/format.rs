//! The formats of a document.

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
