//! What the program needs: flags, environment and defaults brought together.

use std::ffi::OsString;
use std::path::PathBuf;

use tourbillon_engine::CaseOptions;
use tourbillon_report::Form;

use super::environment::Environment;
use super::low::Low;
use super::selection::{IgnoredCases, Selection};
use super::usage::Usage;
use super::value::{Color, Format};
use crate::text::owned;

/// What the program needs to know of its command line and environment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct High {
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
    Form(Form),
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

impl High {
    /// Brings flags and environment together.
    ///
    /// # Errors
    ///
    /// Flags that contradict each other.
    #[inline(never)]
    pub(crate) fn new(low: Low, environment: Environment) -> Result<High, Usage> {
        let mode = mode(&low)?;
        if low.ignored && low.include_ignored {
            return contradiction(
                "--ignored and --include-ignored contradict each other; give one of them",
            );
        }
        if let (Some(least), Some(most)) = (low.min_time_ns, low.max_time_ns)
            && least > most
        {
            return contradiction("--min-time is longer than --max-time; exchange them");
        }
        if low.store.is_some() && low.no_store {
            return contradiction("--store and --no-store contradict each other; give one of them");
        }
        if low.save.is_some() && low.no_store {
            return contradiction("--save and --no-store contradict each other; give one of them");
        }
        let data = match low.format {
            Some(Format::Jsonl) => Data::Lines,
            Some(Format::Form(form)) => Data::Form(form),
            Some(Format::Text | Format::Terse) | None => Data::None,
        };
        let people_have_terminal = if data != Data::None {
            environment.stderr_is_terminal
        } else {
            environment.stdout_is_terminal
        };
        let color = match low.color.unwrap_or(Color::Auto) {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if environment.no_color => false,
            Color::Auto => environment.force_color || people_have_terminal && !environment.dumb,
        };
        let progress =
            environment.stderr_is_terminal && !environment.dumb && !environment.ci && !low.quiet;
        Ok(High {
            mode,
            selection: Selection {
                filters: low.filters,
                exact: low.exact,
                skip: low.skip,
                tags: low.tags,
                ignored: match (low.ignored, low.include_ignored) {
                    (true, _) => IgnoredCases::Only,
                    (_, true) => IgnoredCases::Include,
                    _ => IgnoredCases::Leave,
                },
            },
            options: CaseOptions {
                launches: low.launches,
                min_time_ns: low.min_time_ns,
                max_time_ns: low.max_time_ns,
                min_iterations: low.min_iterations,
                precision: low.precision,
                timeout_ns: low.timeout_ns,
                metric: low.metric,
            },
            cpus: low.cpus,
            seed: low.seed,
            store: StoreChoice {
                keep: !low.no_store,
                flag: low.store,
                environment: environment.store,
            },
            save: low.save,
            baseline: low.baseline,
            against: low.against,
            data,
            color,
            progress,
            quiet: low.quiet,
            no_capture: low.no_capture,
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

fn mode(low: &Low) -> Result<Mode, Usage> {
    let terse = low.format == Some(Format::Terse);
    let mode = if low.help {
        Mode::Help
    } else if low.version {
        Mode::Version
    } else if low.list {
        Mode::List { terse }
    } else if low.test || !(low.bench || low.profile_ns.is_some()) {
        Mode::Test { terse }
    } else if let Some(ns) = low.profile_ns {
        Mode::Profile { ns }
    } else {
        Mode::Bench
    };
    match (mode, low.format) {
        (Mode::Bench, Some(Format::Terse)) => {
            contradiction("--format terse goes with --list or --test; results come in the others")
        }
        (Mode::List { .. }, Some(Format::Jsonl | Format::Form(_))) => {
            contradiction("--format is for results and does not go with --list, but for terse")
        }
        (Mode::Test { .. }, Some(Format::Jsonl | Format::Form(_))) => contradiction(
            "--format is for results, and test mode measures nothing; add --bench, or use terse",
        ),
        _ => Ok(mode),
    }
}

fn contradiction<T>(what: &str) -> Result<T, Usage> {
    Err(Usage::new(owned(what)))
}

#[cfg(test)]
mod tests;
