//! `cargo tourbillon export`: records in the formats of other programs.

mod bencher;
mod case;
mod criterion;
mod github;
mod google;
mod hyperfine;
mod hyperfine_runs;
mod openmetrics;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tourbillon_record::Run;
use tourbillon_report::{ReportFormat, escape};

use self::case::{ExportedCase, Omitted, cases, of_run};
use crate::bench_flags::TableFlags;
use crate::exit::{Stop, print_data, say};
use crate::output;
use crate::records::{self, Record};
use crate::show;
use crate::store_flags::StoreFlag;

/// Most cases without an entry that are listed.
const LISTED: usize = 20;

const AFTER: &str = "\
Examples:
  cargo tourbillon export --format bmf
  cargo tourbillon export --format smaller-is-better main -o main.json
  cargo tourbillon export --format criterion main here.jsonl -o target/criterion

Formats:
  libtest            the lines of the standard library's #[bench]
  bmf                Bencher Metric Format
  smaller-is-better  github-action-benchmark: times and counts
  bigger-is-better   github-action-benchmark: what is better with more
  criterion          the files of criterion, in the folder that -o names
  google-benchmark   google/benchmark
  hyperfine          hyperfine 2; hyperfine-1: before
  openmetrics        Prometheus and others
  csv, csv-semicolon, md, json, gnuplot";

/// Write records in the formats of other programs
///
/// Writes the newest result of each benchmark of this package, or the results in the named files and baselines.
/// Cases that the format cannot hold are listed on stderr, with the reason.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Files and names of baselines [the newest results]
    #[arg(value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// The format; see below
    #[arg(long, value_name = "FORMAT")]
    format: ExportFormat,
    /// The file, or the folder of criterion's files [stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only cases that match, by id or printed name; may be repeated
    #[arg(long, value_name = "PART")]
    filter: Vec<String>,
    #[command(flatten)]
    store: StoreFlag,
}

/// A format of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    Libtest,
    Bmf,
    #[value(alias = "customSmallerIsBetter")]
    SmallerIsBetter,
    #[value(alias = "customBiggerIsBetter")]
    BiggerIsBetter,
    Criterion,
    GoogleBenchmark,
    Hyperfine,
    #[value(name = "hyperfine-1")]
    HyperfineOne,
    #[value(name = "openmetrics")]
    OpenMetrics,
    Csv,
    CsvSemicolon,
    #[value(alias = "markdown")]
    Md,
    Json,
    Gnuplot,
}

/// A format that is one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextFormat {
    /// Of a table.
    Table(ReportFormat),
    Bencher,
    /// Of github-action-benchmark; whether it has throughputs.
    GitHub {
        bigger: bool,
    },
    Google,
    Hyperfine(HyperfineSchema),
    OpenMetrics,
}

/// The form of hyperfine's JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HyperfineSchema {
    /// Before hyperfine 2.
    #[value(name = "1")]
    One,
    /// Of hyperfine 2.
    #[value(name = "2")]
    Two,
}

impl ExportFormat {
    /// The format of a text; `None` for criterion's files.
    pub(crate) fn text(self) -> Option<TextFormat> {
        Some(match self {
            ExportFormat::Libtest => TextFormat::Table(ReportFormat::Libtest),
            ExportFormat::Csv => TextFormat::Table(ReportFormat::Csv),
            ExportFormat::CsvSemicolon => TextFormat::Table(ReportFormat::CsvSemicolon),
            ExportFormat::Md => TextFormat::Table(ReportFormat::Markdown),
            ExportFormat::Json => TextFormat::Table(ReportFormat::Json),
            ExportFormat::Gnuplot => TextFormat::Table(ReportFormat::Gnuplot),
            ExportFormat::Bmf => TextFormat::Bencher,
            ExportFormat::SmallerIsBetter => TextFormat::GitHub { bigger: false },
            ExportFormat::BiggerIsBetter => TextFormat::GitHub { bigger: true },
            ExportFormat::GoogleBenchmark => TextFormat::Google,
            ExportFormat::Hyperfine => TextFormat::Hyperfine(HyperfineSchema::Two),
            ExportFormat::HyperfineOne => TextFormat::Hyperfine(HyperfineSchema::One),
            ExportFormat::OpenMetrics => TextFormat::OpenMetrics,
            ExportFormat::Criterion => return None,
        })
    }
}

/// hyperfine's JSON of a run; cases without a figure are not in it.
pub(crate) fn hyperfine_json(run: &Run, schema: HyperfineSchema) -> String {
    let cases = of_run(run).collect::<Vec<_>>();
    hyperfine_text(&cases, schema, &mut Vec::new())
}

fn hyperfine_text(
    cases: &[ExportedCase<'_>],
    schema: HyperfineSchema,
    omitted: &mut Vec<Omitted>,
) -> String {
    printable(&match schema {
        HyperfineSchema::One => hyperfine::json(cases, omitted),
        HyperfineSchema::Two => hyperfine_runs::json(cases, omitted),
    })
}

/// hyperfine's CSV of a run; cases without a figure are not in it.
pub(crate) fn hyperfine_csv(run: &Run, schema: HyperfineSchema) -> String {
    let cases = of_run(run).collect::<Vec<_>>();
    match schema {
        HyperfineSchema::One => hyperfine::csv(&cases, &mut Vec::new()),
        HyperfineSchema::Two => hyperfine_runs::csv(&cases),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let mut records = records::named(&arguments.records, &arguments.store.path())?;
    records::select(&mut records, &arguments.filter)?;
    let Some(format) = arguments.format.text() else {
        let Some(folder) = &arguments.output else {
            let what = "--format criterion writes a folder; name it, such as -o target/criterion";
            return Err(Stop::Usage(what.to_owned()));
        };
        let is_named = !arguments.records.is_empty();
        let omitted = criterion::write(&records, is_named, folder)?;
        return ended(&records, &omitted);
    };
    let (text, omitted) = rendered(&records, format)?;
    ended(&records, &omitted)?;
    match &arguments.output {
        Some(file) => output::write(file, text),
        None => print_data(&text),
    }
}

/// Lists the cases that are not in the export; fails if none is.
fn ended(records: &[Record], omitted: &[Omitted]) -> Result<(), Stop> {
    report(omitted);
    let runs = records.iter().flat_map(Record::runs);
    let count: usize = runs.map(|run| run.cases.len()).sum();
    if omitted.len() == count {
        let what = "no case of the records is in the export";
        return Err(Stop::Environment(what.to_owned()));
    }
    Ok(())
}

/// The records in a format, and the cases that it cannot hold.
pub(crate) fn rendered(
    records: &[Record],
    format: TextFormat,
) -> Result<(String, Vec<Omitted>), Stop> {
    if let TextFormat::Table(format) = format {
        if format == ReportFormat::Libtest {
            cases(records)?;
        }
        let text = show::formed(records, "run", format, &TableFlags::default());
        return Ok((text, Vec::new()));
    }
    let mut omitted = Vec::new();
    let cases = cases(records)?;
    let text = match format {
        TextFormat::Table(_) => String::new(),
        TextFormat::Bencher => printable(&bencher::json(&cases, &mut omitted)),
        TextFormat::GitHub { bigger: false } => printable(&github::smaller(&cases, &mut omitted)),
        TextFormat::GitHub { bigger: true } => printable(&github::bigger(&cases, &mut omitted)),
        TextFormat::Google => printable(&google::json(&cases, &mut omitted)),
        TextFormat::Hyperfine(schema) => hyperfine_text(&cases, schema, &mut omitted),
        TextFormat::OpenMetrics => openmetrics::text(&cases, &mut omitted),
    };
    Ok((text, omitted))
}

/// JSON that means the same and that a terminal can show: no character of a name controls it.
fn printable(json: &str) -> String {
    let mut printable = String::with_capacity(json.len());
    for character in json.chars() {
        let is_plain = character == '\n' || (' '..='~').contains(&character);
        if is_plain
            || escape(character.encode_utf8(&mut [0; 4]), true).len() == character.len_utf8()
        {
            printable.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            printable += &format!("\\u{unit:04x}");
        }
    }
    printable
}

/// Prints the records in a format, and on stderr what it cannot hold.
pub(crate) fn print_as(records: &[Record], format: TextFormat) -> Result<(), Stop> {
    let (text, omitted) = rendered(records, format)?;
    print_data(&text)?;
    report(&omitted);
    Ok(())
}

/// Lists the cases that are not in the export.
fn report(omitted: &[Omitted]) {
    for Omitted { case, why } in omitted.iter().take(LISTED) {
        say(&format!(
            "not in the export: {}: {}\n",
            escape(case, true),
            escape(why, true)
        ));
    }
    if let Some(more) = omitted.len().checked_sub(LISTED).filter(|more| *more > 0) {
        say(&format!("not in the export: {more} more cases\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_does_not_control_a_terminal() {
        let text = "a\u{9b}b\u{7f}c\u{202e}d\u{e0001} é 漢 \u{1f469}";
        let json = serde_json::Value::from(text).to_string();
        let shown = printable(&json);
        assert_eq!(
            shown,
            "\"a\\u009bb\\u007fc\\u202ed\\udb40\\udc01 é 漢 \u{1f469}\""
        );
        assert_eq!(
            serde_json::from_str::<String>(&shown).expect("a text"),
            text
        );
    }
}
