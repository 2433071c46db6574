//! What the programs make of bytes that others wrote, without files and terminals: for the targets in `fuzz/`. Not part
//! of the API.

use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;

use clap::{CommandFactory, Parser};
use tourbillon_compare::{Gate, merge};
use tourbillon_coordinator::values::SettingsFile;
use tourbillon_report::{OptionalColumn, Style};

pub use tourbillon_commands::message_again;

use crate::config;
use crate::exit::Stop;
use crate::explain;
use crate::export::{self, ExportFormat};
use crate::record_file;
use crate::records::Record;
use crate::report::{self, Gallery};
use crate::show;
use crate::{Arguments, Task};

/// Most cases that are explained, each a page of its own.
const EXPLAINED: usize = 2;

/// What `show` is asked for.
fn shown_with() -> [Vec<String>; 4] {
    let names = OptionalColumn::WORDS.map(|(name, _)| name);
    [
        Vec::new(),
        ["--verbose", "--sort=time"].map(str::to_owned).to_vec(),
        vec![format!("--columns={}", names.join(","))],
        vec!["--plot".to_owned()],
    ]
}

/// The formats of `export`.
const FORMATS: [ExportFormat; 11] = [
    ExportFormat::Csv,
    ExportFormat::CsvSemicolon,
    ExportFormat::Md,
    ExportFormat::Gnuplot,
    ExportFormat::Libtest,
    ExportFormat::Bmf,
    ExportFormat::SmallerIsBetter,
    ExportFormat::GoogleBenchmark,
    ExportFormat::Hyperfine,
    ExportFormat::HyperfineOne,
    ExportFormat::OpenMetrics,
];

/// What is made of the file of a record.
#[derive(Debug, Default)]
pub struct Texts {
    /// For terminals.
    pub shown: Vec<String>,
    /// For other programs.
    pub exports: Vec<String>,
    /// For a browser: the page and its pictures.
    pub page: String,
}

/// Everything that `show`, `explain`, `merge`, `export` and `report` make of the file of a record.
///
/// # Errors
///
/// Why the file cannot be read.
pub fn texts_of_record(bytes: &[u8], style: &Style) -> Result<Texts, String> {
    let name = "record".to_owned();
    let runs = record_file::parse(bytes)?;
    if let Some(error) = record_file::first_damage(&runs) {
        return Err(error.to_string());
    }
    let file = |name, runs| Record { name, runs };
    let files = [file(name, runs)];
    let mut texts = Texts::default();
    for arguments in shown_by() {
        texts
            .shown
            .extend(show::rendered(&files, arguments, style).ok());
    }
    for run in files[0].runs() {
        let cases = run.cases.iter().take(EXPLAINED);
        let pages = cases.map(|case| explain::rendered(run, &case.id, style).text(style));
        texts.shown.extend(pages);
    }
    texts.shown.extend(merge::text(bytes));
    for format in FORMATS {
        texts.exports.extend(exported(&files, format));
    }
    let [Record { name, runs }] = files;
    let mut alone: Vec<Record> = runs
        .into_iter()
        .map(|run| file(name.clone(), vec![run]))
        .collect();
    let beside = show::rendered(&alone, &shown_by()[0], style);
    texts.shown.extend(beside.ok());
    texts.page = report::rendered(&mut alone, &mut Gallery::new(true));
    Ok(texts)
}

/// Command lines are read once: that takes longer than most records.
fn shown_by() -> &'static [show::Arguments] {
    static ARGUMENTS: OnceLock<Vec<show::Arguments>> = OnceLock::new();
    ARGUMENTS.get_or_init(|| {
        let parsed = shown_with().into_iter().filter_map(|flags| {
            let command = ["cargo tourbillon", "show"].map(str::to_owned);
            let words = command.into_iter().chain(flags);
            match Arguments::try_parse_from(words).ok()?.task {
                Task::Show(arguments) => Some(arguments),
                _ => None,
            }
        });
        parsed.collect()
    })
}

fn exported(files: &[Record], format: ExportFormat) -> Option<String> {
    let (text, _) = export::rendered(files, format).ok()?;
    Some(text)
}

/// Reads a file of defaults as the subcommands and the gate do, and gives the first mistake of each.
pub fn mistakes_in_settings(file: &Path) -> Vec<String> {
    let mut mistakes = Vec::new();
    for line in [
        &["compare", "main", "HEAD"][..],
        &["ci"],
        &["save", "name"],
        &["show"],
        &["report"],
    ] {
        let mut words = vec![OsString::from("cargo tourbillon")];
        words.extend(line.iter().map(OsString::from));
        words.extend(["--config".into(), file.into()]);
        let parsed = config::with_defaults(Arguments::command(), words);
        mistakes.extend(parsed.err().map(text));
    }
    match SettingsFile::locate(Some(file), Path::new("")) {
        Ok(settings) => mistakes.extend(Gate::read(&[], settings.as_ref()).err().map(text)),
        Err(mistake) => mistakes.push(mistake),
    }
    mistakes
}

fn text(stop: Stop) -> String {
    match stop {
        Stop::Answered(text) | Stop::Usage(text) | Stop::Environment(text) => text,
        Stop::Failed(_, text) => text,
        Stop::Code(code) => code.to_string(),
    }
}

/// Reads the words after `cargo tourbillon`, and plans the commands of `commands`; gives the mistake in them.
pub fn mistake_in_words(words: &[OsString]) -> Option<String> {
    let program = OsString::from("cargo tourbillon");
    let words = [&[program], words].concat();
    match Arguments::try_parse_from(words) {
        Ok(Arguments {
            task: Task::Commands(arguments),
        }) => tourbillon_commands::mistake(&(&*arguments).into()).map(text),
        Ok(_) => None,
        Err(error) => Some(error.render().to_string()),
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use std::collections::HashSet;

    use tourbillon_record::looked_at;

    use super::*;

    const GOLDEN: &str = include_str!("../../tourbillon-record/tests/golden/schema-2-run.jsonl");

    /// A record of so many cases, each with all that the golden one has of its case.
    fn record(cases: usize) -> String {
        let is_of_run = |line: &&str| ["header", "end"].iter().any(|kind| is(line, kind));
        let mut text = String::new();
        let header = GOLDEN.lines().find(|line| is(line, "header"));
        text += header.expect("a header");
        for number in 0..cases {
            let mut known = HashSet::new();
            for line in GOLDEN.lines().filter(|line| !is_of_run(line)) {
                // The golden record has its case twice, and results of one metric.
                let what = line.split("\"unit\"").next();
                let once = ["case", "result"].iter().find(|kind| is(line, kind));
                if once.is_none_or(|kind| known.insert((kind, what.filter(|_| *kind == "result"))))
                {
                    text += "\n";
                    text += &line.replace("basket::total", &format!("basket::total_{number}"));
                }
            }
        }
        text + "\n"
    }

    fn is(line: &str, kind: &str) -> bool {
        line.starts_with(&format!("{{\"type\":\"{kind}\""))
    }

    /// How many entries of cases are looked at for all that is made of the record.
    fn work(cases: usize) -> usize {
        looked_at::take();
        let texts = texts_of_record(record(cases).as_bytes(), &Style::default());
        assert!(texts.expect("a record").exports.len() > 5);
        looked_at::take()
    }

    #[test]
    fn every_case_more_takes_as_much_work() {
        let [one, two, three] = [10, 20, 30].map(work);
        assert!(two > one);
        assert_eq!(three - two, two - one);
    }
}
