//! The flags of what is printed: `--color` and `--format`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use tourbillon_coordinator::values::ColorChoice;
use tourbillon_present::{Document, Format, Kind};
use tourbillon_report::Style;
use tourbillon_tool::exit::{Stop, print_document, print_json};
use tourbillon_tool::screen::style;

/// The flag `--color`.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ColorFlag {
    /// Colour: auto, always or never
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless the environment disables it.
    #[default]
    Auto,
    Always,
    Never,
}

/// The flag `--format` of commands whose result is a document.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct FormatFlag {
    /// Format: text, md, csv, json or html
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = parser(5))]
    format: Format,
}

/// Formats of every document, and lines.
const FORMATS: [Format; 6] = [
    Format::Text,
    Format::Md,
    Format::Csv,
    Format::Json,
    Format::Html,
    Format::Jsonl,
];

/// A parser of the names of the first formats.
fn parser(count: usize) -> impl TypedValueParser<Value = Format> {
    let formats = &FORMATS[..count];
    let names = formats.iter().map(|format| match format {
        Format::Md => PossibleValue::new("md").alias("markdown"),
        format => PossibleValue::new(format.name()),
    });
    PossibleValuesParser::new(names).map(|name| {
        let found = FORMATS.iter().find(|format| format.name() == name);
        found.copied().unwrap_or(Format::Md)
    })
}

/// The flag `--format` of commands whose results are lines, too.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct FormatOrLinesFlag {
    /// Format: text, md, csv, json, jsonl or html
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = parser(6))]
    format: Format,
}

impl FormatOrLinesFlag {
    pub(crate) fn format(self) -> Format {
        self.format
    }
}

impl FormatFlag {
    pub(crate) fn format(self) -> Format {
        self.format
    }

    /// Prints a document.
    pub(crate) fn print(self, document: &Document, kind: &Kind, style: &Style) -> Result<(), Stop> {
        print_document(document, self.format, kind, style, String::new)
    }

    /// Prints a document, in JSON what `json` gives: a report that the command reads again.
    pub(crate) fn print_with(
        self,
        document: &Document,
        kind: &Kind,
        style: &Style,
        json: impl FnOnce() -> String,
    ) -> Result<(), Stop> {
        match self.format {
            Format::Json => print_json(json()),
            _ => self.print(document, kind, style),
        }
    }
}

impl ColorFlag {
    pub(crate) fn choice(self) -> ColorChoice {
        self.color.into()
    }

    /// The style of text on stdout.
    pub(crate) fn style(self) -> Style {
        style(self.choice())
    }
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> ColorChoice {
        match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }
}
