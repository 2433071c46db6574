//! Flags of bench programs, and hints for flags of other harnesses.

use clap::ValueEnum;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use tourbillon_report::ReportFormat;

/// Flags of the bench programs with a value.
const WITH_VALUE: &str = "--skip --tag --launches --precision --min-time --max-time --min-iterations \
    --timeout --against --clock --cpus --seed --format --save --baseline --store --profile-time --color -Z";
/// Flags of the bench programs that select cases.
const FILTERS: &str = "--skip --tag --ignored";

/// Whether a flag is in a list of flags.
pub(crate) fn lists(flags: &str, flag: &str) -> bool {
    flags.split_whitespace().any(|known| known == flag)
}

/// Whether a flag of the bench programs has a value.
pub(crate) fn has_value(flag: &str) -> bool {
    lists(WITH_VALUE, flag)
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

/// Whether arguments of a bench program select some of its cases only.
pub(crate) fn is_filtered(arguments: &[String]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or(word);
        if lists(FILTERS, name) || !word.starts_with('-') {
            return true;
        }
        if has_value(word) {
            words.next();
        }
    }
    false
}

/// Flags of other harnesses, whose they are, and what to do instead.
const FOREIGN: &str = "\
--sample-size: criterion's; here: --launches, or --time of compare
--measurement-time: criterion's; here: --max-time, or --time of compare
--warm-up-time: criterion's; leave it out: each launch warms up until its times are steady
--save-baseline: criterion's; here: --save
--load-baseline: criterion's; here: cargo tourbillon show NAME
--baseline-lenient: criterion's; here: --baseline
--discard-baseline: criterion's; here: --no-store
--confidence-level: criterion's; here: --confidence of compare; intervals of runs hold at 99 %
--significance-level: criterion's; here: --confidence of compare
--noise-threshold: criterion's; here: --margin of compare
--nresamples: criterion's; leave it out: intervals are made without resampling
--output-format: criterion's; here: --format
--plotting-backend: criterion's; leave it out: there are no plots
--noplot: criterion's; leave it out: there are no plots
--quick: criterion's; here: --precision
--sample-count: divan's; here: --launches, or --time of compare
--threads: divan's; here: #[bench(threads = [1, 2, 4])]
--timer: divan's; leave it out: the best clock is chosen, see cargo tourbillon clocks
--sort: divan's; leave it out: cases come in the order of the source
--sortr: divan's; leave it out: cases come in the order of the source
--skip-ext-time: divan's; leave it out: only time in the body counts
--items-count: divan's; here: Bencher::throughput(Items(N))
--bytes-count: divan's; here: Bencher::throughput(Bytes(N))
--chars-count: divan's; here: Bencher::throughput(Items(N))
--cycles-count: divan's; here: Bencher::throughput(Items(N))
--bytes-format: divan's; leave it out: rates are in decimal units
";

/// The hint for a flag, which may have a value after `=`.
pub(crate) fn hint(flag: &str) -> Option<String> {
    let name = flag.split('=').next().unwrap_or(flag);
    let mut known = FOREIGN.lines().filter_map(|line| line.split_once(": "));
    let (_, hint) = known.find(|(known, _)| *known == name)?;
    Some(format!("{name} is {hint}"))
}

/// The hint for an argument that clap does not know.
pub(crate) fn hint_for(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) if error.kind() == ErrorKind::UnknownArgument => {
            hint(flag)
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
            ("--bench --seed=1 --skip=x", true),
            ("--include-ignored --ignored", true),
        ] {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(is_filtered(&words), expected, "{line}");
        }
    }
}
