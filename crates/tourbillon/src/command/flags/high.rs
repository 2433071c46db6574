//! What the program needs: flags, environment and defaults brought together.

use std::ffi::OsString;
use std::path::PathBuf;

use tourbillon_engine::CaseOptions;

use super::environment::Environment;
use super::low::Low;
use super::selection::{IgnoredCases, Selection};
use super::usage::Usage;
use super::value::{Color, Format};

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
    /// Whether stdout carries data, and what people read goes to stderr.
    pub(crate) data_on_stdout: bool,
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
}

/// Where the record of a run is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoreChoice {
    /// Nowhere.
    None,
    /// Where a flag or the environment says, or else in the target directory.
    At {
        /// `--store`.
        flag: Option<PathBuf>,
        /// `TOURBILLON_STORE`.
        environment: Option<OsString>,
    },
}

impl High {
    /// Brings flags and environment together.
    ///
    /// # Errors
    ///
    /// Flags that contradict each other.
    pub(crate) fn new(low: Low, environment: &Environment) -> Result<High, Usage> {
        let mode = mode(&low)?;
        if low.ignored && low.include_ignored {
            return Err(Usage::new(
                "--ignored and --include-ignored contradict each other; give one of them",
            ));
        }
        if let (Some(least), Some(most)) = (low.min_time_ns, low.max_time_ns)
            && least > most
        {
            return Err(Usage::new(
                "--min-time is longer than --max-time; exchange them",
            ));
        }
        if low.store.is_some() && low.no_store {
            return Err(Usage::new(
                "--store and --no-store contradict each other; give one of them",
            ));
        }
        let data_on_stdout = low.format == Some(Format::Jsonl);
        let people_have_terminal = if data_on_stdout {
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
            },
            cpus: low.cpus,
            seed: low.seed,
            store: if low.no_store {
                StoreChoice::None
            } else {
                StoreChoice::At {
                    flag: low.store,
                    environment: environment.store.clone(),
                }
            },
            data_on_stdout,
            color,
            progress,
            quiet: low.quiet,
            no_capture: low.no_capture,
        })
    }

    /// What holds for a case: what the command line asks for, else what the case asks for itself.
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
    } else if low.test || !low.bench {
        Mode::Test { terse }
    } else {
        Mode::Bench
    };
    match (mode, low.format) {
        (Mode::Bench, Some(Format::Terse)) => Err(Usage::new(
            "--format terse goes with --list or --test; results come as text or jsonl",
        )),
        (Mode::List { .. }, Some(Format::Jsonl)) => Err(Usage::new(
            "--format jsonl does not go with --list; use --format terse",
        )),
        (Mode::Test { .. }, Some(Format::Jsonl)) => Err(Usage::new(
            "--format jsonl goes with --bench: test mode measures nothing; add --bench",
        )),
        _ => Ok(mode),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn high_in(line: &str, environment: &Environment) -> Result<High, String> {
        let low = Low::parse(line.split_whitespace().map(OsString::from));
        low.and_then(|low| High::new(low, environment))
            .map_err(|usage| usage.to_string())
    }

    fn high(line: &str) -> High {
        high_in(line, &Environment::default()).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn modes() {
        for (line, expected) in [
            ("", Mode::Test { terse: false }),
            ("--bench", Mode::Bench),
            ("--bench --test", Mode::Test { terse: false }),
            ("--test --format terse", Mode::Test { terse: true }),
            ("--list", Mode::List { terse: false }),
            ("--bench --list --format terse", Mode::List { terse: true }),
            (
                "--list --format terse --ignored",
                Mode::List { terse: true },
            ),
            ("name --exact --nocapture", Mode::Test { terse: false }),
            ("--list --version", Mode::Version),
            ("--version --help", Mode::Help),
        ] {
            assert_eq!(high(line).mode, expected, "{line}");
        }
    }

    #[test]
    fn contradictions() {
        for (line, part) in [
            ("--bench --format terse", "goes with --list or --test"),
            ("--list --format jsonl", "use --format terse"),
            ("--format jsonl", "add --bench"),
            ("--ignored --include-ignored", "contradict each other"),
            ("--store x --no-store", "contradict each other"),
            ("--min-time 2s --max-time 1s", "exchange them"),
        ] {
            let error = high_in(line, &Environment::default()).expect_err(line);
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn flag_before_environment_before_default() {
        let environment = Environment {
            store: Some(OsString::from("/environment")),
            ..Environment::default()
        };
        let at = |flag: Option<&str>, environment: Option<&str>| StoreChoice::At {
            flag: flag.map(PathBuf::from),
            environment: environment.map(OsString::from),
        };
        assert_eq!(high("--bench").store, at(None, None));
        assert_eq!(
            high_in("", &environment).unwrap().store,
            at(None, Some("/environment"))
        );
        assert_eq!(
            high_in("--store /flag", &environment).unwrap().store,
            at(Some("/flag"), Some("/environment"))
        );
        assert_eq!(
            high_in("--no-store", &environment).unwrap().store,
            StoreChoice::None
        );
    }

    #[test]
    fn flag_before_attribute() {
        let case = CaseOptions {
            launches: Some(5),
            max_time_ns: Some(2_000_000_000),
            precision: Some(0.1),
            ..CaseOptions::default()
        };
        assert_eq!(high("").options_of(&case), case);
        let merged = high("--launches 9 --min-iterations 3").options_of(&case);
        assert_eq!(
            merged,
            CaseOptions {
                launches: Some(9),
                min_iterations: Some(3),
                ..case
            }
        );
    }

    #[test]
    fn a_limit_of_the_command_line_moves_the_opposite_limit_of_a_case() {
        let case = CaseOptions {
            min_time_ns: Some(1_000_000_000),
            max_time_ns: Some(2_000_000_000),
            ..CaseOptions::default()
        };
        let more = high("--min-time 3s").options_of(&case);
        assert_eq!(more.min_time_ns, Some(3_000_000_000));
        assert_eq!(more.max_time_ns, Some(3_000_000_000));
        let less = high("--max-time 500ms").options_of(&case);
        assert_eq!(less.min_time_ns, Some(500_000_000));
        assert_eq!(less.max_time_ns, Some(500_000_000));
    }

    #[test]
    fn colours() {
        let terminal = Environment {
            stdout_is_terminal: true,
            stderr_is_terminal: true,
            ..Default::default()
        };
        let piped = Environment {
            stdout_is_terminal: false,
            ..terminal.clone()
        };
        let cases = [
            ("--bench", Environment::default(), false),
            ("--bench", terminal.clone(), true),
            ("--bench", piped.clone(), false),
            // Data goes through the pipe, people read stderr.
            ("--bench --format jsonl", piped.clone(), true),
            (
                "--bench",
                Environment {
                    no_color: true,
                    ..terminal.clone()
                },
                false,
            ),
            (
                "--bench",
                Environment {
                    dumb: true,
                    ..terminal.clone()
                },
                false,
            ),
            (
                "--bench",
                Environment {
                    force_color: true,
                    ..piped.clone()
                },
                true,
            ),
            (
                "--bench",
                Environment {
                    force_color: true,
                    no_color: true,
                    ..piped.clone()
                },
                false,
            ),
            (
                "--bench --color never",
                Environment {
                    force_color: true,
                    ..terminal.clone()
                },
                false,
            ),
            (
                "--bench --color always",
                Environment {
                    no_color: true,
                    ..piped
                },
                true,
            ),
        ];
        for (line, environment, expected) in cases {
            let found = high_in(line, &environment).unwrap().color;
            assert_eq!(found, expected, "{line} {environment:?}");
        }
    }

    #[test]
    fn progress_is_for_people_who_watch() {
        let terminal = Environment {
            stderr_is_terminal: true,
            ..Default::default()
        };
        for (line, environment, expected) in [
            ("--bench", terminal.clone(), true),
            ("--bench -q", terminal.clone(), false),
            (
                "--bench",
                Environment {
                    ci: true,
                    ..terminal.clone()
                },
                false,
            ),
            (
                "--bench",
                Environment {
                    dumb: true,
                    ..terminal
                },
                false,
            ),
            ("--bench", Environment::default(), false),
        ] {
            let found = high_in(line, &environment).unwrap().progress;
            assert_eq!(found, expected, "{line} {environment:?}");
        }
    }
}
