//! Flags that bench programs have, too.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, ValueEnum};
use tourbillon_coordinator::args::{find_flag, foreign_flag};
use tourbillon_report::{OptionalColumn, ReportFormat, RowOrder};
use tourbillon_values::{choice, choices};

/// A format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Csv,
    CsvSemicolon,
    #[value(alias = "markdown")]
    Md,
    Gnuplot,
    Json,
    Html,
}

impl Format {
    /// The format of tables for other programs; `None` for text and documents.
    pub(crate) fn report(self) -> Option<ReportFormat> {
        match self {
            Format::Text => None,
            Format::Csv => Some(ReportFormat::Csv),
            Format::CsvSemicolon => Some(ReportFormat::CsvSemicolon),
            Format::Md => Some(ReportFormat::Markdown),
            Format::Gnuplot => Some(ReportFormat::Gnuplot),
            Format::Json | Format::Html => None,
        }
    }

    /// The format of documents; `None` for those of tables alone.
    pub(crate) fn document(self) -> Option<tourbillon_present::Format> {
        match self {
            Format::Json => Some(tourbillon_present::Format::Json),
            Format::Html => Some(tourbillon_present::Format::Html),
            _ => None,
        }
    }
}

/// What a table shows on request.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(crate) struct TableFlags {
    #[arg(long, help = help("--columns"), value_name = "NAMES", value_delimiter = ',', value_parser = column)]
    pub(crate) columns: Vec<OptionalColumn>,
    #[arg(long, help = help("--sort"), value_name = "ORDER", default_value = "source", value_parser = order)]
    pub(crate) sort: RowOrder,
}

/// The help of a flag of bench programs, as a sentence.
fn help(name: &str) -> String {
    let help = find_flag(name).map_or_else(String::new, |flag| flag.explanation());
    let first = help.get(..1).unwrap_or_default();
    first.to_uppercase() + &help[first.len()..]
}

fn column(typed: &str) -> Result<OptionalColumn, String> {
    choice(typed, &OptionalColumn::WORDS)
}

fn order(typed: &str) -> Result<RowOrder, String> {
    choice(typed, &RowOrder::WORDS)
}

impl TableFlags {
    /// Whether nothing was requested.
    pub(crate) fn are_unset(&self) -> bool {
        *self == TableFlags::default()
    }

    /// Reads a flag and its value, if the flag is one of these.
    pub(crate) fn set(&mut self, flag: &str, value: &str) -> Result<(), String> {
        let named = |what| format!("{flag}: {what}");
        match flag {
            "--columns" => {
                self.columns = choices(value, &OptionalColumn::WORDS).map_err(named)?;
            }
            "--sort" => self.sort = order(value).map_err(named)?,
            _ => {}
        }
        Ok(())
    }
}

/// The hint for an argument that clap does not know.
pub(crate) fn hint_for(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) if error.kind() == ErrorKind::UnknownArgument => {
            // Of the other subcommands.
            let is_filter = flag.split('=').next() == Some("--filter");
            let after = || "there is no --filter here; words after -- select cases: `-- sort`";
            is_filter
                .then(after)
                .map(str::to_owned)
                .or_else(|| foreign_flag(flag))
        }
        _ => None,
    }
}
