//! What the program needs: flags, environment and defaults combined.

use std::ffi::OsString;
use std::path::PathBuf;

use tourbillon_record::{CaseOptions, Metric};
use tourbillon_report::{OptionalColumn, ReportFormat, RowOrder};

use super::defaults::{Defaults, is_given, over};
use super::environment::Environment;
use super::flags::all;
use super::low::{Format, LowArgs};
use super::selection::{IgnoredCases, Selection};
use crate::platform::core_kinds::CpuChoice;
use crate::runner::{LOCK_VARIABLE, LockChoice};
use crate::values::{Partition, is_colored};

/// What the program needs of its command line and environment.
#[derive(Clone, Debug, PartialEq)]
pub struct HighArgs {
    /// What to do.
    pub mode: Mode,
    /// On which cases.
    pub selection: Selection,
    /// What the command line asks of every case; takes precedence over a case's own options.
    pub options: CaseOptions,
    /// Processors to pin workers to.
    pub cpus: CpuChoice,
    /// What is counted besides the time.
    pub counters: Vec<Metric>,
    /// The seed; `None` for a new one.
    pub seed: Option<u64>,
    /// Where the record is kept.
    pub store: StoreChoice,
    /// The name under which the run is kept as a baseline.
    pub save: Option<String>,
    /// The baseline that the run is compared with, in place of the last run.
    pub baseline: Option<String>,
    /// The case that the selected ones are compared with.
    pub against: Option<String>,
    /// What stdout carries.
    pub data: Data,
    /// Columns that are added to the table.
    pub columns: Vec<OptionalColumn>,
    /// The order of the table's rows.
    pub order: RowOrder,
    /// Whether text is coloured.
    pub color: bool,
    /// Whether a progress line is drawn on stderr.
    pub progress: bool,
    /// Results and failures only.
    pub quiet: bool,
    /// All facts about the machine and the build.
    pub verbose: bool,
    /// Whether output of benchmarks is shown as it comes.
    pub no_capture: bool,
    /// What to do while another program measures.
    pub lock: LockChoice,
    /// What the file of defaults has for this program.
    pub defaults: Defaults,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Print the help.
    Help,
    /// Print the version.
    Version,
    /// Print what holds, and where it comes from.
    ShowConfig,
    /// List the cases, for test runners or for readers.
    List(ListFormat),
    /// Run each case once.
    Test {
        /// A letter for each case instead of a line.
        terse: bool,
    },
    /// Measure.
    Bench,
    /// Run each case for a time.
    Profile {
        /// Nanoseconds.
        ns: u64,
    },
}

/// How cases are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFormat {
    /// For people.
    Text,
    /// `ID: benchmark`, one a line.
    Terse,
    /// The lines of cases in records.
    Jsonl,
}

/// What stdout carries; where it is data, text goes to stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// Text only.
    None,
    /// JSON lines as they come.
    Lines,
    /// The results in this form, at the end.
    ReportFormat(ReportFormat),
    /// What another front end prints.
    FrontEnd,
}

/// Where records are kept, and whether this run gets one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreChoice {
    /// Whether this run gets one.
    pub keep: bool,
    /// `--store`; without it and the next, they are in the target directory.
    pub flag: Option<PathBuf>,
    /// `TOURBILLON_STORE`.
    pub environment: Option<OsString>,
}

impl HighArgs {
    /// Reads a command line, with the defaults of the file for the program `package`/`target` before it.
    ///
    /// # Errors
    ///
    /// What is not understood, on the command line or in the file.
    pub fn read(
        arguments: &[OsString],
        environment: &Environment,
        package: &str,
        target: &str,
    ) -> Result<HighArgs, String> {
        let typed = LowArgs::parse(arguments)?;
        if typed.help || typed.version {
            return HighArgs::new(typed, environment);
        }
        let defaults = Defaults::read(&typed, environment, package, target)?;
        let all = [&defaults.arguments, arguments].concat();
        let high = HighArgs::new(LowArgs::parse(&all)?, environment)?;
        Ok(HighArgs { defaults, ..high })
    }

    /// Combines flags and environment.
    ///
    /// # Errors
    ///
    /// Flags that contradict each other.
    pub fn new(low: LowArgs, environment: &Environment) -> Result<HighArgs, String> {
        let mode = mode(&low)?;
        check(&low)?;
        let data = match low.format {
            Format::Jsonl => Data::Lines,
            Format::ReportFormat(format) => Data::ReportFormat(format),
            Format::FrontEnd => Data::FrontEnd,
            Format::Text | Format::Terse => Data::None,
        };
        let text_on_terminal = match data {
            Data::None => environment.stdout_is_terminal,
            _ => environment.stderr_is_terminal,
        };
        let text = |name: &str| environment.value(name)?.into_string().ok();
        let is_watched = environment.stderr_is_terminal
            && text("TERM").is_none_or(|term| term != "dumb")
            && environment.value("CI").is_none();
        let partition = match low.partition {
            Some(typed) => {
                let read = Partition::parse(&typed, &text);
                Some(read.map_err(|what| format!("--partition: {what}"))?)
            }
            None => None,
        };
        let ignored = if low.ignored {
            IgnoredCases::Only
        } else if low.include_ignored {
            IgnoredCases::Include
        } else {
            IgnoredCases::Leave
        };
        Ok(HighArgs {
            mode,
            selection: Selection {
                filters: low.filters,
                are_expressions: false,
                exact: low.exact,
                skip: low.skip,
                tags: low.tags,
                ignored,
                partition,
            },
            options: low.options,
            cpus: low.cpus,
            counters: low.counters,
            seed: low.seed,
            store: StoreChoice {
                keep: !low.no_store,
                flag: low.store,
                environment: environment.value("TOURBILLON_STORE"),
            },
            save: low.save,
            baseline: low.baseline,
            against: low.against,
            data,
            columns: low.columns,
            order: low.order,
            color: is_colored(low.color, text_on_terminal, text),
            progress: is_watched && !low.quiet,
            quiet: low.quiet,
            verbose: low.verbose,
            no_capture: low.no_capture,
            lock: LockChoice {
                is_quiet: low.quiet,
                ..LockChoice::new(environment.value(LOCK_VARIABLE), !low.no_wait)
            },
            defaults: Defaults::default(),
        })
    }

    /// The options of a case: those of the command line, else its own.
    pub fn options_of(&self, case: &CaseOptions) -> CaseOptions {
        over(&self.options, case)
    }
}

/// Refuses flags that contradict each other.
fn check(low: &LowArgs) -> Result<(), String> {
    for flag in all().filter(|flag| is_given(&low.given, flag.name)) {
        let mut others = flag.contradicts.iter();
        if let Some(other) = others.find(|other| is_given(&low.given, other)) {
            let one = flag.name;
            return Err(format!(
                "{one} and {other} contradict each other; give one of them"
            ));
        }
    }
    match (low.options.min_time_ns, low.options.max_time_ns) {
        (Some(least), Some(most)) if least > most => {
            Err("--min-time is longer than --max-time; exchange them".to_owned())
        }
        _ => Ok(()),
    }
}

fn mode(low: &LowArgs) -> Result<Mode, String> {
    let terse = low.format == Format::Terse;
    let mode = match low.profile_time {
        _ if low.help => Mode::Help,
        _ if low.version => Mode::Version,
        _ if low.show_config => Mode::ShowConfig,
        _ if low.list => Mode::List(match low.format {
            Format::Terse => ListFormat::Terse,
            Format::Jsonl => ListFormat::Jsonl,
            Format::Text | Format::ReportFormat(_) | Format::FrontEnd => ListFormat::Text,
        }),
        _ if low.test => Mode::Test { terse },
        Some(ns) => Mode::Profile { ns },
        None if low.bench => Mode::Bench,
        None => Mode::Test { terse },
    };
    let what = match (mode, low.format) {
        (Mode::Bench, Format::Terse) => {
            "--format terse goes with --list or --test; results come in the others"
        }
        (Mode::List(_), Format::ReportFormat(_)) => {
            "--format is for results; with --list only terse and jsonl are allowed"
        }
        (Mode::Test { .. }, Format::Jsonl | Format::ReportFormat(_)) => {
            "--format is for results, and test mode measures nothing; add --bench, or use terse"
        }
        _ => return Ok(mode),
    };
    Err(what.to_owned())
}
