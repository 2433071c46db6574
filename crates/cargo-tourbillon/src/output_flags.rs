//! The flags of what is printed: `--color` and `--format`.

use clap::{Args, ValueEnum};
use tourbillon_coordinator::values::ColorChoice;
use tourbillon_report::Style;
use tourbillon_tool::exit::Stop;
use tourbillon_tool::screen::style;
use tourbillon_tool::text_or_json;

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

/// The format of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    Text,
    #[value(alias = "jsonl")]
    Json,
}

impl TextOrJson {
    /// Prints what is in this format.
    pub(crate) fn print(self, output: &str) -> Result<(), Stop> {
        text_or_json::TextOrJson::from(self).print(output)
    }
}

impl From<TextOrJson> for text_or_json::TextOrJson {
    fn from(format: TextOrJson) -> text_or_json::TextOrJson {
        match format {
            TextOrJson::Text => text_or_json::TextOrJson::Text,
            TextOrJson::Json => text_or_json::TextOrJson::Json,
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
