//! Flags of bench programs.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, ValueEnum};
use tourbillon_report::{OptionalColumn, ReportFormat, RowOrder};
use tourbillon_values::{Partition, choice, choices, foreign_flag};

/// Flags of the bench programs with a value.
const WITH_VALUE: &str = "--skip --tag --launches --precision --min-time --max-time --min-iterations \
    --timeout --against --clock --cpus --seed --format --columns --sort --save --baseline --store --profile-time --color \
    --partition -Z";
/// Those that `run` does not pass on as they are, and those of suites of criterion.
const OTHERS_WITH_VALUE: &str = "--config --shuffle-seed --test-threads -b --baseline-lenient -c --colour --confidence-level \
    --load-baseline --measurement-time --noise-threshold --nresamples --output-format --plotting-backend -s \
    --sample-size --save-baseline --significance-level --warm-up-time";
/// Flags of the bench programs that select cases.
const FILTERS: &str = "--skip --tag --ignored --partition";

/// Whether a flag is in a list of flags.
pub(crate) fn lists(flags: &str, flag: &str) -> bool {
    flags.split_whitespace().any(|known| known == flag)
}

/// Whether a flag of the bench programs has a value.
pub(crate) fn has_value(flag: &str) -> bool {
    lists(WITH_VALUE, flag)
}

/// Reads a shard, `auto` from the environment of this process.
pub(crate) fn partition(typed: &str) -> Result<Partition, String> {
    Partition::parse(typed, &|name| std::env::var(name).ok())
}

/// A format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Csv,
    CsvSemicolon,
    #[value(alias = "markdown")]
    Md,
    Gnuplot,
}

impl Format {
    /// The format for other programs; `None` for text.
    pub(crate) fn report(self) -> Option<ReportFormat> {
        match self {
            Format::Text => None,
            Format::Csv => Some(ReportFormat::Csv),
            Format::CsvSemicolon => Some(ReportFormat::CsvSemicolon),
            Format::Md => Some(ReportFormat::Markdown),
            Format::Gnuplot => Some(ReportFormat::Gnuplot),
        }
    }
}

/// What a table shows on request.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(crate) struct TableFlags {
    /// Add columns, such as mean,sd: mean, median, min, max, sd, mad, p90 (over launches), ratio (to the reference of
    /// the group), rank
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = column)]
    pub(crate) columns: Vec<OptionalColumn>,
    /// The order of cases in their groups: source, time or name
    #[arg(long, value_name = "ORDER", default_value = "source", value_parser = order)]
    pub(crate) sort: RowOrder,
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

/// Whether arguments of a bench program select some of its cases only.
pub(crate) fn is_filtered(arguments: &[String]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or(word);
        if lists(FILTERS, name) || !word.starts_with('-') {
            return true;
        }
        if has_value(word) || lists(OTHERS_WITH_VALUE, word) {
            words.next();
        }
    }
    false
}

/// The hint for an argument that clap does not know.
pub(crate) fn hint_for(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) if error.kind() == ErrorKind::UnknownArgument => {
            foreign_flag(flag)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_recognised() {
        for (line, expected) in [
            ("--bench", false),
            ("--bench sort", true),
            ("--bench --launches 5 --format jsonl", false),
            ("--bench --tag slow", true),
            ("--bench --config quick.toml --test-threads 1", false),
            ("--bench --save-baseline main --measurement-time 5", false),
            ("--bench -s main sort", true),
            ("--bench --seed=1 --skip=x", true),
            ("--bench --partition hash:1/2", true),
            ("--include-ignored --ignored", true),
        ] {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(is_filtered(&words), expected, "{line}");
        }
    }
}
