//! Flags of bench programs, and hints for flags of other harnesses.

use clap::ValueEnum;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use tourbillon_report::ReportFormat;

/// Flags of the bench programs with a value.
pub(crate) const WITH_VALUE: [&str; 19] = [
    "--skip",
    "--tag",
    "--launches",
    "--precision",
    "--min-time",
    "--max-time",
    "--min-iterations",
    "--timeout",
    "--against",
    "--clock",
    "--cpus",
    "--seed",
    "--format",
    "--save",
    "--baseline",
    "--store",
    "--profile-time",
    "--color",
    "-Z",
];

/// Flags of the bench programs that select cases.
const FILTERS: [&str; 3] = ["--skip", "--tag", "--ignored"];

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
        if FILTERS.contains(&name) || !word.starts_with('-') {
            return true;
        }
        if WITH_VALUE.contains(&word.as_str()) {
            words.next();
        }
    }
    false
}

/// Flags of other harnesses, the harness, and what to use instead.
const FOREIGN: [(&str, &str, &str); 21] = [
    (
        "--sample-size",
        "criterion",
        "--launches, or --time of compare",
    ),
    (
        "--sample-count",
        "divan",
        "--launches, or --time of compare",
    ),
    (
        "--measurement-time",
        "criterion",
        "--max-time, or --time of compare",
    ),
    (
        "--warm-up-time",
        "criterion",
        "no flag; launches warm up until times are steady",
    ),
    ("--save-baseline", "criterion", "--save"),
    ("--load-baseline", "criterion", "cargo tourbillon show NAME"),
    ("--baseline-lenient", "criterion", "--baseline"),
    ("--discard-baseline", "criterion", "--no-store"),
    (
        "--confidence-level",
        "criterion",
        "--confidence of compare; intervals of runs have 99 %",
    ),
    (
        "--significance-level",
        "criterion",
        "--confidence of compare",
    ),
    ("--noise-threshold", "criterion", "--margin of compare"),
    (
        "--nresamples",
        "criterion",
        "no flag; intervals need no resampling",
    ),
    ("--output-format", "criterion", "--format"),
    ("--plotting-backend", "criterion", "--format gnuplot"),
    ("--noplot", "criterion", "no flag; nothing is plotted"),
    (
        "--quick",
        "criterion",
        "--max-time, such as --max-time 50ms",
    ),
    (
        "--skip-ext-time",
        "divan",
        "no flag; preparing inputs is never timed",
    ),
    ("--threads", "divan", "threads = [..] in the attribute"),
    ("--timer", "divan", "--clock"),
    (
        "--sort",
        "divan",
        "no flag; rows have the order of the source",
    ),
    (
        "--sortr",
        "divan",
        "no flag; rows have the order of the source",
    ),
];

/// The hint for a flag, which may have a value after `=`.
pub(crate) fn hint(flag: &str) -> Option<String> {
    let name = flag.split('=').next().unwrap_or(flag);
    let (name, harness, here) = FOREIGN.iter().find(|(known, ..)| *known == name)?;
    Some(format!("{name} is {harness}'s; here: {here}"))
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
