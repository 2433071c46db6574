//! What was typed.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::values::{ColorChoice, foreign_flag};
use lexopt::{Arg, Parser};
use tourbillon_engine::CaseOptions;
use tourbillon_record::Metric;
use tourbillon_report::{OptionalColumn, ReportFormat, RowOrder};
use tourbillon_values::{choice, choices, count, duration, nearest, processors, seed, share};

/// The help; `PROGRAM` stands for the name of the program. Suggestions and messages take the names of the
/// flags and of their values from it.
const HELP: &str = include_str!("help.txt");

/// The column of the help in which the explanations begin.
const EXPLANATIONS: usize = 26;

/// Most launches of a case: far beyond what any interval gains from.
const MOST_LAUNCHES: u64 = 10_000;

/// What was typed, before environment and defaults are added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LowArgs {
    /// Print the help.
    pub help: bool,
    /// Print the version.
    pub version: bool,
    /// List the cases.
    pub list: bool,
    /// Run each case once.
    pub test: bool,
    /// Measure.
    pub bench: bool,
    /// Run each case for this many nanoseconds.
    pub profile_time: Option<u64>,
    /// Parts of ids, or whole ids.
    pub filters: Vec<String>,
    /// Whether filters are whole ids.
    pub exact: bool,
    /// Filters of cases that are skipped.
    pub skip: Vec<String>,
    /// Tags, one of which a case must have.
    pub tags: Vec<String>,
    /// Only the cases that are marked to be ignored.
    pub ignored: bool,
    /// Ignored cases too.
    pub include_ignored: bool,
    /// The partition, as it was typed: the environment may be part of it.
    pub partition: Option<String>,
    /// Settings of every case.
    pub options: CaseOptions,
    /// The case that the others are compared with.
    pub against: Option<String>,
    /// Processors to pin workers to.
    pub cpus: Vec<u32>,
    /// The seed.
    pub seed: Option<u64>,
    /// What is printed on stdout.
    pub format: Format,
    /// Columns that are added to the table.
    pub columns: Vec<OptionalColumn>,
    /// The order of the table's rows.
    pub order: RowOrder,
    /// Whether text is coloured.
    pub color: ColorChoice,
    /// Results and failures only.
    pub quiet: bool,
    /// All facts.
    pub verbose: bool,
    /// Whether output of benchmarks is shown.
    pub no_capture: bool,
    /// The name to save the run under.
    pub save: Option<String>,
    /// The baseline to compare with.
    pub baseline: Option<String>,
    /// The folder of the store.
    pub store: Option<PathBuf>,
    /// Whether no record is kept.
    pub no_store: bool,
    /// Whether to exit while another program measures.
    pub no_wait: bool,
    /// Print what holds, and where it comes from.
    pub show_config: bool,
    /// The file of defaults.
    pub config: Option<PathBuf>,
    /// The flags that were given, with their values.
    pub given: Vec<(String, String)>,
}

/// What is printed on stdout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Tables.
    #[default]
    Text,
    /// One JSON object a line.
    Jsonl,
    /// Results in a form for other programs, at the end.
    ReportFormat(ReportFormat),
    /// What test runners read: a line for each case, or a letter for each test.
    Terse,
    /// What another front end prints.
    FrontEnd,
}

/// Names of formats; `pretty` is the name of the built-in test harness for its default.
const FORMATS: [(&str, Format); 9] = [
    ("text", Format::Text),
    ("jsonl", Format::Jsonl),
    ("csv", Format::ReportFormat(ReportFormat::Csv)),
    (
        "csv-semicolon",
        Format::ReportFormat(ReportFormat::CsvSemicolon),
    ),
    ("md", Format::ReportFormat(ReportFormat::Markdown)),
    ("gnuplot", Format::ReportFormat(ReportFormat::Gnuplot)),
    ("libtest", Format::ReportFormat(ReportFormat::Libtest)),
    ("terse", Format::Terse),
    ("pretty", Format::Text),
];

/// Names of clocks, and what they measure.
const CLOCKS: [(&str, Metric); 4] = [
    ("wall", Metric::Time),
    ("cpu", Metric::CpuTime),
    ("user", Metric::UserTime),
    ("kernel", Metric::KernelTime),
];

impl LowArgs {
    /// Reads a command line without the program's name. Of a flag that is given twice, the last counts.
    ///
    /// # Errors
    ///
    /// The first thing in it that is not understood.
    pub fn parse(arguments: &[OsString]) -> Result<LowArgs, String> {
        let mut low = LowArgs::default();
        let mut parser = Parser::from_args(arguments);
        while let Some(argument) = parser.next().map_err(message)? {
            let flag = match &argument {
                Arg::Short(name) => format!("-{name}"),
                Arg::Long(name) => format!("--{name}"),
                Arg::Value(filter) => {
                    low.filters.push(utf8(filter)?.to_owned());
                    continue;
                }
            };
            low.set(&flag, &mut parser)?;
        }
        Ok(low)
    }

    /// Takes a flag, with its value from `parser` if it has one.
    ///
    /// # Errors
    ///
    /// When the flag is unknown or its value is not understood.
    pub fn set(&mut self, flag: &str, parser: &mut Parser) -> Result<(), String> {
        let mut value = Value {
            flag,
            parser,
            typed: String::new(),
        };
        match flag {
            "-h" | "--help" => self.help = true,
            "-V" | "--version" => self.version = true,
            "--list" => self.list = true,
            "--show-config" => self.show_config = true,
            "--config" => {
                let path = value.any()?;
                if path.is_empty() {
                    return Err("--config: the path is empty; write a file, or none".to_owned());
                }
                self.config = Some(PathBuf::from(path));
            }
            "--test" => self.test = true,
            "--bench" => self.bench = true,
            "--profile-time" => self.profile_time = Some(value.read(duration)?),
            "--exact" => self.exact = true,
            "--skip" => self.skip.push(value.text()?),
            "--tag" => self.tags.push(value.text()?),
            "--ignored" => self.ignored = true,
            "--include-ignored" => self.include_ignored = true,
            "--partition" => self.partition = Some(value.text()?),
            "--launches" => {
                let launches = value.read(|typed| count(typed, MOST_LAUNCHES))?;
                self.options.launches = Some(launches as u32);
            }
            "--precision" => self.options.precision = Some(value.read(precision)?),
            "--min-time" => self.options.min_time_ns = Some(value.read(duration)?),
            "--max-time" => self.options.max_time_ns = Some(value.read(duration)?),
            "--min-iterations" => {
                self.options.min_iterations = Some(value.read(|typed| count(typed, u64::MAX))?);
            }
            "--timeout" => self.options.timeout_ns = Some(value.read(duration)?),
            "--against" => {
                let empty = "the id is empty; --list shows the ids of the cases";
                self.against = Some(value.read(|typed| not_empty(typed, empty))?);
            }
            "--clock" => {
                self.options.metric = Some(value.read(|typed| choice(typed, &CLOCKS))?);
            }
            "--cpus" => self.cpus = value.read(processors)?,
            "--seed" => self.seed = Some(value.read(seed)?),
            "--format" => self.format = value.read(|typed| choice(typed, &FORMATS))?,
            "--columns" => {
                self.columns = value.read(|typed| choices(typed, &OptionalColumn::WORDS))?;
            }
            "--sort" => self.order = value.read(|typed| choice(typed, &RowOrder::WORDS))?,
            "--color" => self.color = value.read(|typed| choice(typed, &ColorChoice::WORDS))?,
            "-q" | "--quiet" => self.quiet = true,
            "-v" | "--verbose" => self.verbose = true,
            "--nocapture" | "--no-capture" => self.no_capture = true,
            "--save" => self.save = Some(value.read(name)?),
            "--baseline" => self.baseline = Some(value.read(name)?),
            "--store" => {
                let path = value.any()?;
                if path.is_empty() {
                    return Err(
                        "--store: the path is empty; write the folder of the store".to_owned()
                    );
                }
                self.store = Some(PathBuf::from(path));
            }
            "--no-store" => self.no_store = true,
            "--no-wait" => self.no_wait = true,
            "--show-output" | "--report-time" | "--shuffle" => {}
            "--test-threads" => {
                value.read(|typed| count(typed, u64::MAX))?;
            }
            "--shuffle-seed" | "-Z" => {
                value.any()?;
            }
            _ => return Err(unknown(flag)),
        }
        self.given.push((flag.to_owned(), value.typed));
        Ok(())
    }
}

/// The value of a flag.
struct Value<'p> {
    flag: &'p str,
    parser: &'p mut Parser,
    /// What was read.
    typed: String,
}

impl Value<'_> {
    fn any(&mut self) -> Result<OsString, String> {
        let value = match self.parser.optional_value() {
            Some(attached) => attached,
            None => {
                let next = self.parser.value().map_err(message)?;
                if is_flag(&next) {
                    return Err(without_value(self.flag));
                }
                next
            }
        };
        self.typed = value.to_string_lossy().into_owned();
        Ok(value)
    }

    fn read<T>(&mut self, read: impl FnOnce(&str) -> Result<T, String>) -> Result<T, String> {
        let value = self.any()?;
        let read = utf8(&value).and_then(read);
        read.map_err(|what| format!("{}: {what}", self.flag))
    }

    fn text(&mut self) -> Result<String, String> {
        self.read(|typed| Ok(typed.to_owned()))
    }
}

fn utf8(typed: &OsStr) -> Result<&str, String> {
    let text = typed.to_str();
    text.ok_or_else(|| format!("{typed:?} is not valid UTF-8"))
}

/// The name of a baseline.
fn name(typed: &str) -> Result<String, String> {
    not_empty(typed, "the name is empty; write one such as main")
}

fn not_empty(typed: &str, otherwise: &str) -> Result<String, String> {
    if typed.trim().is_empty() {
        return Err(otherwise.to_owned());
    }
    Ok(typed.to_owned())
}

/// A relative half-width.
fn precision(typed: &str) -> Result<f64, String> {
    let share = share(typed)?;
    if share > 0.0 && share < 1.0 {
        return Ok(share);
    }
    Err(format!(
        "{typed:?} is not between 0 and 100 %; write 1% or 0.01"
    ))
}

/// The help text, with a line break at its end.
pub fn help(program: &str) -> String {
    HELP.replace("PROGRAM", program)
}

/// The flags in the help, long and short, each with the name of its value, which is empty for a switch.
pub(super) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = HELP.lines().filter(|line| line.starts_with("  "));
    let columns = lines.filter_map(|line| Some(line.get(..EXPLANATIONS)?.trim()));
    let flags = columns.filter(|column| column.starts_with('-'));
    flags.flat_map(|column| {
        let (names, value) = match column.rsplit_once(' ') {
            Some((names, value)) if !value.starts_with('-') => (names, value),
            _ => (column, ""),
        };
        names.split(", ").map(move |name| (name, value))
    })
}

/// Whether a word is a flag of a bench program, or the `--bench` that cargo adds: it is no value of the flag before
/// it, unless it is attached to that, as in `--skip=--list`.
pub fn is_flag(word: &OsStr) -> bool {
    word == "--bench" || names().any(|(name, _)| word == name)
}

/// The flags in the help, each with its names and its explanation, which ends with the default in brackets.
pub(super) fn explained() -> Vec<(Vec<&'static str>, String)> {
    let mut all: Vec<(Vec<&str>, String)> = Vec::new();
    for line in HELP.lines() {
        let (column, text) = line.split_at_checked(EXPLANATIONS).unwrap_or((line, ""));
        let is_entry = line.starts_with("  ");
        match all.last_mut() {
            _ if is_entry && column.trim().starts_with('-') => {
                let words = column.split_whitespace();
                let names = words.map(|word| word.trim_end_matches(','));
                let names = names.filter(|word| word.starts_with('-')).collect();
                all.push((names, text.to_owned()));
            }
            Some((_, explanation)) if is_entry && column.trim().is_empty() => {
                *explanation += " ";
                *explanation += text;
            }
            _ => {}
        }
    }
    all
}

fn unknown(flag: &str) -> String {
    if let Some(hint) = foreign_flag(flag) {
        return hint;
    }
    match nearest(flag, names().map(|(name, _)| name)) {
        Some(meant) if flag.starts_with("--") => {
            format!("unknown flag {flag}; did you mean {meant}?")
        }
        _ => format!("unknown flag {flag}; --help lists the known ones"),
    }
}

fn message(error: lexopt::Error) -> String {
    match error {
        lexopt::Error::UnexpectedValue { option, .. } => {
            format!("{option} takes no value; write {option} alone")
        }
        lexopt::Error::MissingValue {
            option: Some(option),
        } => without_value(&option),
        other => other.to_string(),
    }
}

fn without_value(flag: &str) -> String {
    let value = names().find(|(name, _)| *name == flag);
    let value = value.map_or("VALUE", |(_, value)| value);
    format!("{flag} needs a value; write {flag} {value}")
}
