//! The formats of results.

use tourbillon_tool::exit::{Stop, print_data, print_page};

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    Text,
    /// Markdown.
    Md,
    /// A line of JSON for each verdict.
    Jsonl,
}

impl Format {
    /// Prints what is in this format.
    pub(crate) fn print(self, output: &str) -> Result<(), Stop> {
        match self {
            Format::Text | Format::Md => print_page(output),
            Format::Jsonl => print_data(output),
        }
    }
}
