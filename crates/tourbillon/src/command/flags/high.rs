//! What the program needs: flags, environment and defaults brought together.

use std::ffi::OsString;
use std::path::PathBuf;

use tourbillon_engine::CaseOptions;
use tourbillon_report::ReportFormat;

use super::environment::Environment;
use super::flag::Sets;
use super::low::LowArgs;
use super::selection::{IgnoredCases, Selection};
use super::usage::Usage;
use super::value::{CLOCKS, COLORS, Color, FORMATS, Format};
use crate::lasting::Handed;
use crate::processors::copied;
use crate::text::owned;

/// What the program needs to know of its command line and environment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HighArgs {
    /// What to do.
    pub(crate) mode: Mode,
    /// On which cases.
    pub(crate) selection: Selection,
    /// What the command line asks of every case; wins over what a case asks for itself.
    pub(crate) options: CaseOptions,
    /// Processors to pin workers to; empty for no pinning.
    pub(crate) cpus: Vec<u32>,
    /// The seed; `None` for a new one.
    pub(crate) seed: Option<u64>,
    /// Where the record is kept.
    pub(crate) store: StoreChoice,
    /// The name under which the run is kept as a baseline.
    pub(crate) save: Option<String>,
    /// The baseline that the run is held against, instead of the last run.
    pub(crate) baseline: Option<String>,
    /// The case that the selected ones are compared with.
    pub(crate) against: Option<String>,
    /// What stdout carries.
    pub(crate) data: Data,
    /// Whether what people read is coloured.
    pub(crate) color: bool,
    /// Whether a progress line is drawn on stderr.
    pub(crate) progress: bool,
    /// Results and failures only.
    pub(crate) quiet: bool,
    /// Whether what benchmarks print is shown as it comes.
    pub(crate) no_capture: bool,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Print the help.
    Help,
    /// Print the version.
    Version,
    /// List the cases, in the form that test runners read or in the one for people.
    List {
        /// `ID: benchmark`, one a line.
        terse: bool,
    },
    /// Run each case once.
    Test {
        /// A letter for each case instead of a line.
        terse: bool,
    },
    /// Measure.
    Bench,
    /// Run each case for so long.
    Profile {
        /// Nanoseconds.
        ns: u64,
    },
}

/// What stdout carries; where it is data, what people read goes to stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// Nothing but what people read.
    None,
    /// JSON lines as they come.
    Lines,
    /// The results in this form, at the end.
    ReportFormat(ReportFormat),
}

/// Where records are kept, and whether this run gets one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoreChoice {
    /// Whether this run gets one.
    pub(crate) keep: bool,
    /// `--store`; without it and the next, they are in the target directory.
    pub(crate) flag: Option<PathBuf>,
    /// `TOURBILLON_STORE`.
    pub(crate) environment: Option<OsString>,
}

impl HighArgs {
    /// Brings flags and environment together.
    ///
    /// # Errors
    ///
    /// Flags that contradict each other.
    #[inline(never)]
    pub(crate) fn new(low: &LowArgs, environment: &Environment) -> Result<HighArgs, Usage> {
        let mode = mode(low)?;
        check(low)?;
        let data = match format(low) {
            Format::Jsonl => Data::Lines,
            Format::ReportFormat(form) => Data::ReportFormat(form),
            Format::Text | Format::Terse => Data::None,
        };
        let quiet = low.has(Sets::Quiet);
        let people_have_terminal = if data != Data::None {
            environment.stderr_is_terminal
        } else {
            environment.stdout_is_terminal
        };
        let color = match COLORS.1[low.number(Sets::Color).unwrap_or(0) as usize] {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if environment.no_color => false,
            Color::Auto => environment.force_color || people_have_terminal && !environment.dumb,
        };
        let progress =
            environment.stderr_is_terminal && !environment.dumb && !environment.ci && !quiet;
        let ignored = if low.has(Sets::Ignored) {
            IgnoredCases::Only
        } else if low.has(Sets::IncludeIgnored) {
            IgnoredCases::Include
        } else {
            IgnoredCases::Leave
        };
        let (options, seed) = (options(low), low.number(Sets::Seed));
        let (exact, keep) = (low.has(Sets::Exact), !low.has(Sets::NoStore));
        let no_capture = low.has(Sets::NoCapture);
        let selection = Handed::new(Selection {
            filters: low.texts(Sets::Filter),
            exact,
            skip: low.texts(Sets::Skip),
            tags: low.texts(Sets::Tag),
            ignored,
        });
        let store = Handed::new(StoreChoice {
            keep,
            flag: low.store.clone(),
            environment: environment.store.clone(),
        });
        let save = Handed::new(low.text(Sets::Save));
        let baseline = Handed::new(low.text(Sets::Baseline));
        let against = Handed::new(low.text(Sets::Against));
        Ok(HighArgs {
            mode,
            selection: Handed::into_inner(selection),
            options,
            cpus: copied(&low.cpus),
            seed,
            store: Handed::into_inner(store),
            save: Handed::into_inner(save),
            baseline: Handed::into_inner(baseline),
            against: Handed::into_inner(against),
            data,
            color,
            progress,
            quiet,
            no_capture,
        })
    }

    /// What holds for a case: what the command line asks for, else what the case asks for itself.
    #[inline(never)]
    pub(crate) fn options_of(&self, case: &CaseOptions) -> CaseOptions {
        let flags = &self.options;
        // A limit that the case asks for gives way where the command line asks for more or less.
        let least = case
            .min_time_ns
            .map(|least| least.min(flags.max_time_ns.unwrap_or(u64::MAX)));
        let most = case
            .max_time_ns
            .map(|most| most.max(flags.min_time_ns.unwrap_or(0)));
        CaseOptions {
            launches: flags.launches.or(case.launches),
            min_time_ns: flags.min_time_ns.or(least),
            max_time_ns: flags.max_time_ns.or(most),
            min_iterations: flags.min_iterations.or(case.min_iterations),
            precision: flags.precision.or(case.precision),
            timeout_ns: flags.timeout_ns.or(case.timeout_ns),
            metric: flags.metric.or(case.metric),
        }
    }
}

/// Flags that are not given together.
const CONTRADICTIONS: [(Sets, Sets, &str); 3] = [
    (
        Sets::Ignored,
        Sets::IncludeIgnored,
        "--ignored and --include-ignored contradict each other; give one of them",
    ),
    (
        Sets::Store,
        Sets::NoStore,
        "--store and --no-store contradict each other; give one of them",
    ),
    (
        Sets::Save,
        Sets::NoStore,
        "--save and --no-store contradict each other; give one of them",
    ),
];

#[inline(never)]
fn check(low: &LowArgs) -> Result<(), Usage> {
    for (one, other, what) in &CONTRADICTIONS {
        if low.has(*one) && low.has(*other) {
            return Err(contradiction(what));
        }
    }
    let least = low.number(Sets::MinTime).unwrap_or(0);
    if least > low.number(Sets::MaxTime).unwrap_or(u64::MAX) {
        return Err(contradiction(
            "--min-time is longer than --max-time; exchange them",
        ));
    }
    Ok(())
}

/// What is asked of every case.
#[inline(never)]
fn options(low: &LowArgs) -> CaseOptions {
    CaseOptions {
        launches: low.number(Sets::Launches).map(|launches| launches as u32),
        min_time_ns: low.number(Sets::MinTime),
        max_time_ns: low.number(Sets::MaxTime),
        min_iterations: low.number(Sets::MinIterations),
        precision: low.number(Sets::Precision).map(f64::from_bits),
        timeout_ns: low.number(Sets::Timeout),
        metric: low
            .number(Sets::Clock)
            .map(|place| CLOCKS.1[place as usize]),
    }
}

/// What is printed on stdout; text where nothing else was asked for.
fn format(low: &LowArgs) -> Format {
    FORMATS.1[low.number(Sets::Format).unwrap_or(0) as usize]
}

fn mode(low: &LowArgs) -> Result<Mode, Usage> {
    let format = format(low);
    let terse = format == Format::Terse;
    let profile_ns = low.number(Sets::ProfileTime);
    let mode = if low.has(Sets::Help) {
        Mode::Help
    } else if low.has(Sets::Version) {
        Mode::Version
    } else if low.has(Sets::List) {
        Mode::List { terse }
    } else if low.has(Sets::Test) || !(low.has(Sets::Bench) || profile_ns.is_some()) {
        Mode::Test { terse }
    } else if let Some(ns) = profile_ns {
        Mode::Profile { ns }
    } else {
        Mode::Bench
    };
    let what = match (mode, format) {
        (Mode::Bench, Format::Terse) => {
            "--format terse goes with --list or --test; results come in the others"
        }
        (Mode::List { .. }, Format::Jsonl | Format::ReportFormat(_)) => {
            "--format is for results and does not go with --list, but for terse"
        }
        (Mode::Test { .. }, Format::Jsonl | Format::ReportFormat(_)) => {
            "--format is for results, and test mode measures nothing; add --bench, or use terse"
        }
        _ => return Ok(mode),
    };
    Err(contradiction(what))
}

fn contradiction(what: &str) -> Usage {
    Usage::new(owned(what))
}

#[cfg(test)]
mod tests;
