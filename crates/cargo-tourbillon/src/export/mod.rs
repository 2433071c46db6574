//! `cargo tourbillon export`: records in the formats of other programs.

mod bencher;
mod criterion;
mod github;
mod google;
mod hyperfine;
mod hyperfine_runs;
mod openmetrics;
mod rows;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::Value;
use tourbillon_record::Run;
use tourbillon_report::{ReportFormat, escape, escape_json};

use self::rows::{Omitted, cases, of_run};
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
    /// The format of a table; `None` for those of other programs alone.
    pub(crate) fn table(self) -> Option<ReportFormat> {
        Some(match self {
            ExportFormat::Libtest => ReportFormat::Libtest,
            ExportFormat::Csv => ReportFormat::Csv,
            ExportFormat::CsvSemicolon => ReportFormat::CsvSemicolon,
            ExportFormat::Md => ReportFormat::Markdown,
            ExportFormat::Json => ReportFormat::Json,
            ExportFormat::Gnuplot => ReportFormat::Gnuplot,
            _ => return None,
        })
    }
}

/// hyperfine's JSON of a run; cases without a figure are not in it.
pub(crate) fn hyperfine_json(run: &Run, schema: HyperfineSchema) -> String {
    let cases = of_run(run).collect::<Vec<_>>();
    text_of(&match schema {
        HyperfineSchema::One => hyperfine::json(&cases, &mut Vec::new()),
        HyperfineSchema::Two => hyperfine_runs::json(&cases, &mut Vec::new()),
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
    if let (ExportFormat::Criterion, Some(folder)) = (arguments.format, &arguments.output) {
        let is_named = !arguments.records.is_empty();
        let omitted = criterion::write(&records, is_named, folder)?;
        return ended(&records, &omitted);
    }
    let (text, omitted) = rendered(&records, arguments.format)?;
    ended(&records, &omitted)?;
    match &arguments.output {
        Some(file) => output::write(file, text),
        None => print_data(&text),
    }
}

/// Lists what is not in the export; fails if no case is.
fn ended(records: &[Record], omitted: &[Omitted]) -> Result<(), Stop> {
    report(omitted);
    let runs = records.iter().flat_map(Record::runs);
    let count: usize = runs.map(|run| run.cases.len()).sum();
    let is_case = |one: &&Omitted| one.measure.is_none();
    if omitted.iter().filter(is_case).count() == count {
        let what = "no case of the records is in the export";
        return Err(Stop::Environment(what.to_owned()));
    }
    Ok(())
}

/// The records in a format, and the cases that it cannot hold.
pub(crate) fn rendered(
    records: &[Record],
    format: ExportFormat,
) -> Result<(String, Vec<Omitted>), Stop> {
    let mut omitted = Vec::new();
    if let Some(table) = format.table() {
        if table == ReportFormat::Libtest {
            cases(records)?;
        }
        let text = show::formed(records, "run", table, &TableFlags::default());
        return Ok((text, omitted));
    }
    let cases = cases(records)?;
    let json = match format {
        ExportFormat::Bmf => bencher::json(&cases, &mut omitted),
        ExportFormat::SmallerIsBetter => github::json(&cases, false, &mut omitted),
        ExportFormat::BiggerIsBetter => github::json(&cases, true, &mut omitted),
        ExportFormat::GoogleBenchmark => google::json(&cases, &mut omitted),
        ExportFormat::Hyperfine => hyperfine_runs::json(&cases, &mut omitted),
        ExportFormat::HyperfineOne => hyperfine::json(&cases, &mut omitted),
        ExportFormat::OpenMetrics => {
            let text = openmetrics::text(&cases, &mut omitted);
            return Ok((text, omitted));
        }
        _ => {
            let what = "--format criterion writes a folder; name it, such as -o target/criterion";
            return Err(Stop::Usage(what.to_owned()));
        }
    };
    Ok((text_of(&json), omitted))
}

/// JSON that a terminal can show: no character of a name controls it.
fn text_of(json: &Value) -> String {
    escape_json(format!("{json:#}\n"))
}

/// Prints the records in a format, and on stderr what it cannot hold.
pub(crate) fn print_as(records: &[Record], format: ExportFormat) -> Result<(), Stop> {
    let (text, omitted) = rendered(records, format)?;
    print_data(&text)?;
    report(&omitted);
    Ok(())
}

/// Lists what is not in the export.
fn report(omitted: &[Omitted]) {
    for Omitted { case, measure, why } in omitted.iter().take(LISTED) {
        let measure = measure.as_ref().map_or_else(String::new, |measure| {
            format!(": measure {}", escape(measure, true))
        });
        say(&format!(
            "not in the export: {}{measure}: {}\n",
            escape(case, true),
            escape(why, true)
        ));
    }
    if let Some(more) = omitted.len().checked_sub(LISTED).filter(|more| *more > 0) {
        say(&format!("not in the export: {more} more\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_does_not_control_a_terminal() {
        let text = "a\u{9b}b\u{7f}c\u{202e}d\u{e0001} é 漢 \u{1f469}";
        let shown = text_of(&Value::from(text));
        assert_eq!(
            shown,
            "\"a\\u009bb\\u007fc\\u202ed\\udb40\\udc01 é 漢 \u{1f469}\"\n"
        );
        assert_eq!(
            serde_json::from_str::<String>(&shown).expect("a text"),
            text
        );
    }
}
