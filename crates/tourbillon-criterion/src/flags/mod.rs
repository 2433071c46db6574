//! The command line: criterion's flags, and those of Tourbillon.

mod help;
mod results;
mod settings;
mod value;

use std::env;
use std::ffi::OsString;
use std::io::{IsTerminal, stdout};
use std::path::Path;

use lexopt::{Arg, Parser};
use tourbillon_coordinator::args::{
    Defaults, Environment, Format, HighArgs, LowArgs, Mode, find_suite_flag,
};
use tourbillon_coordinator::run::Home;
use tourbillon_coordinator::values::is_colored;
use tourbillon_record::store::Store;

use self::results::ResultFlags;
use self::settings::Settings;
use self::value::seconds;
use crate::baseline::Baselines;
use crate::filter::{BenchmarkFilter, Regex};
use crate::lines::{Lines, Paint};

/// The command line of a suite.
#[derive(Clone, Debug)]
pub(crate) struct Flags {
    /// What Tourbillon's bench programs need of it.
    pub(crate) high: HighArgs,
    /// The benchmarks that it names; `None` where it names none.
    pub(crate) filter: Option<BenchmarkFilter>,
    /// The benchmarks that are skipped.
    skip: Option<BenchmarkFilter>,
    /// Settings in place of criterion's defaults.
    pub(crate) settings: Settings,
    /// What becomes of results; `None` where it does not say that.
    pub(crate) baselines: Option<Baselines>,
    /// The saved results that take the place of a run.
    pub(crate) load: Option<String>,
    /// The lines on stdout; `None` where it gets something else.
    pub(crate) lines: Option<Lines>,
    /// Whether a page is written.
    pub(crate) has_index: bool,
    program: String,
}

/// Launches of a benchmark with `--quick`: the fewest with an interval across processes.
const QUICK: u32 = 8;

impl Flags {
    /// The command line of this process, with the defaults of the file for a program; a worker reads neither.
    ///
    /// # Errors
    ///
    /// The first thing that is not understood.
    pub(crate) fn of_process(is_worker: bool, home: &Home) -> Result<Flags, String> {
        let mut arguments = env::args_os();
        let program = arguments.next().unwrap_or_default();
        let program = Path::new(&program).file_name().unwrap_or_default();
        let program = program.to_string_lossy();
        let environment = Environment::read();
        let is_terminal = stdout().is_terminal();
        if is_worker {
            return Flags::parse(&program, &[], &environment, is_terminal);
        }
        let typed: Vec<OsString> = arguments.collect();
        let low = Words::read(&typed)?.low;
        let defaults = if low.help || low.version {
            Defaults::default()
        } else {
            Defaults::read(&low, &environment, &home.package, &home.target)?
        };
        let all = [&defaults.arguments[..], &typed].concat();
        let mut flags = Flags::parse(&program, &all, &environment, is_terminal)?;
        flags.high.defaults = defaults;
        Ok(flags)
    }

    fn parse(
        program: &str,
        arguments: &[OsString],
        environment: &Environment,
        stdout_is_terminal: bool,
    ) -> Result<Flags, String> {
        let Words {
            mut low,
            settings,
            results,
            is_quick,
        } = Words::read(arguments)?;
        if is_quick {
            low.options.launches = low.options.launches.or(Some(QUICK));
        }
        results.check(&mut low)?;
        let skip = filter(&low.skip, low.exact)?;
        let filter = if low.ignored {
            // A suite of criterion cannot mark benchmarks to be ignored.
            Some(BenchmarkFilter::RejectAll)
        } else {
            filter(&low.filters, low.exact)?
        };
        let form = results.form(stdout_is_terminal).filter(|_| low.bench);
        let variable = |name: &str| env::var(name).ok();
        let lines = form.map(|form| Lines {
            form,
            paint: Paint(is_colored(low.color, stdout_is_terminal, variable)),
            quiet: low.quiet,
            verbose: low.verbose,
        });
        if lines.is_some() {
            low.format = Format::FrontEnd;
        }
        let mut high = HighArgs::new(low, environment)?;
        high.selection.are_expressions = true;
        if high.save.is_none() && high.store.keep && has_store(&high) {
            high.save = results.save().map(str::to_owned);
        }
        Ok(Flags {
            high,
            filter,
            skip,
            settings,
            baselines: results.baselines(),
            load: results.load.clone(),
            lines,
            has_index: !results.no_plot,
            program: program.to_owned(),
        })
    }

    /// Whether a benchmark is one of those that the command line names.
    pub(crate) fn accepts(&self, id: &str, base: &str) -> bool {
        let accepts = |filter: &BenchmarkFilter| filter.accepts(id, base);
        self.filter.as_ref().is_none_or(accepts) && !self.skip.as_ref().is_some_and(accepts)
    }

    /// The help or the version.
    pub(crate) fn text(&self) -> String {
        match self.high.mode {
            Mode::Help => help::help(&self.program),
            mode => tourbillon::program::text(mode, &self.program),
        }
    }
}

/// What a command line has.
struct Words {
    low: LowArgs,
    settings: Settings,
    results: ResultFlags,
    is_quick: bool,
}

impl Words {
    fn read(arguments: &[OsString]) -> Result<Words, String> {
        let mut low = LowArgs::default();
        let mut settings = Settings::default();
        let mut results = ResultFlags::default();
        let mut is_quick = false;
        let mut parser = Parser::from_args(arguments);
        while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
            let flag = match &argument {
                Arg::Short(name) => format!("-{name}"),
                Arg::Long(name) => format!("--{name}"),
                Arg::Value(filter) => {
                    let text = filter.to_str().ok_or("a filter is not valid UTF-8")?;
                    low.filters.push(text.to_owned());
                    continue;
                }
            };
            let own = find_suite_flag(&flag).map_or(flag.as_str(), |known| known.name());
            match own {
                "--quick" => is_quick = true,
                "--profile-time" => {
                    let ns = seconds(&flag, &mut parser)?.as_nanos();
                    low.profile_time = Some(u64::try_from(ns).unwrap_or(u64::MAX));
                }
                own => {
                    let is_known = settings.set(own, &mut parser)?
                        || results.set(own, &flag, &mut low, &mut parser)?;
                    if !is_known {
                        low.set(own, &mut parser)?;
                    }
                }
            }
        }
        Ok(Words {
            low,
            settings,
            results,
            is_quick,
        })
    }
}

/// Whether there is a place for records. Files of results need none.
fn has_store(high: &HighArgs) -> bool {
    // Miri gives programs no files.
    if cfg!(miri) {
        return false;
    }
    let executable = env::current_exe().unwrap_or_default();
    let (flag, environment) = (&high.store.flag, &high.store.environment);
    Store::locate(flag.as_deref(), environment.as_deref(), &executable).is_ok()
}

/// The benchmarks that one of several patterns names; `None` without patterns.
fn filter(patterns: &[String], is_exact: bool) -> Result<Option<BenchmarkFilter>, String> {
    let expression = |pattern: &String| {
        Regex::new(pattern).map_err(|error| {
            format!(
                "the filter {pattern:?} is not a regular expression: {error}; --exact takes it as an id"
            )
        })
    };
    let several: Vec<String> = match patterns {
        [] => return Ok(None),
        [one] if is_exact => return Ok(Some(BenchmarkFilter::Exact(one.clone()))),
        [one] => return expression(one).map(|regex| Some(BenchmarkFilter::Regex(regex))),
        several if is_exact => {
            let whole = several.iter().map(|id| regex_lite::escape(id));
            whole.map(|id| format!("^{id}$")).collect()
        }
        several => {
            several
                .iter()
                .try_for_each(|one| expression(one).map(drop))?;
            several.iter().map(|one| format!("(?:{one})")).collect()
        }
    };
    expression(&several.join("|")).map(|regex| Some(BenchmarkFilter::Regex(regex)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::Baseline;
    use crate::lines::Form;
    use crate::options::Options;

    fn parsed(typed: &str, stdout_is_terminal: bool) -> Result<Flags, String> {
        let arguments: Vec<OsString> = typed.split_whitespace().map(OsString::from).collect();
        Flags::parse(
            "suite",
            &arguments,
            &Environment::read(),
            stdout_is_terminal,
        )
    }

    #[test]
    fn lines_are_for_pipes() {
        for (typed, stdout_is_terminal, form) in [
            ("--bench", false, Some(Form::Criterion)),
            ("--bench", true, None),
            (
                "--bench --output-format criterion",
                true,
                Some(Form::Criterion),
            ),
            (
                "--bench --output-format bencher",
                false,
                Some(Form::Bencher),
            ),
            ("--bench --format text", false, None),
            ("--bench --format jsonl", false, None),
            ("--output-format bencher", false, None),
            ("--bench --list", false, Some(Form::Criterion)),
        ] {
            let flags = parsed(typed, stdout_is_terminal).expect(typed);
            assert_eq!(flags.lines.map(|lines| lines.form), form, "{typed}");
        }
        let colored = |typed| {
            parsed(typed, false)
                .expect(typed)
                .lines
                .expect("lines")
                .paint
                .0
        };
        assert!(colored("--bench --color always") && colored("--bench --colour always"));
        assert!(!colored("--bench -c never"));
    }

    #[test]
    fn baselines_are_those_of_criterion() {
        let new = |baseline, name: &str| Some(Baselines::new(baseline, name.to_owned()));
        for (typed, expected) in [
            ("--bench", None),
            ("-s a", new(Baseline::Save, "a")),
            ("-b a", new(Baseline::CompareStrict, "a")),
            ("--baseline-lenient a", new(Baseline::CompareLenient, "a")),
            ("--discard-baseline", new(Baseline::Discard, "base")),
        ] {
            assert_eq!(
                parsed(typed, false).expect(typed).baselines,
                expected,
                "{typed}"
            );
        }
        let both = parsed("-s new-name -b main", false).expect("both");
        let baselines = both.baselines.expect("baselines");
        assert_eq!(
            (baselines.compare.as_str(), baselines.is_strict),
            ("main", true)
        );
        assert_eq!(baselines.save.as_deref(), Some("new-name"));
        assert!(
            !parsed("--discard-baseline", false)
                .expect("flags")
                .high
                .store
                .keep
        );
    }

    #[test]
    fn settings_replace_defaults() {
        let typed = "--sample-size 20 --noise-threshold 0.5 --measurement-time 2 --warm-up-time 500ms --quick";
        let flags = parsed(typed, false).expect(typed);
        let mut options = Options::default();
        flags.settings.apply(&mut options);
        assert_eq!(options.noise_threshold, 0.5);
        assert_eq!(options.time_ns(), 2_500_000_000);
        assert_eq!(flags.high.options.launches, Some(8));
        let requested = parsed("--quick --launches 3", false).expect("flags");
        assert_eq!(requested.high.options.launches, Some(3));
        assert_eq!(flags.settings.without_effect().len(), 1);
    }

    #[test]
    fn a_flag_is_no_value_of_the_flag_before_it() {
        for typed in [
            "--save-baseline --bench",
            "--baseline --noplot --bench",
            "-s -q --bench",
            "--sample-size --nresamples 10 --bench",
            "--profile-time --bench",
            "--save-baseline",
        ] {
            let error = parsed(typed, false).expect_err(typed);
            assert!(error.contains(" needs a value; see --help"), "{error}");
        }
        let flags = parsed("--save-baseline=--bench --bench", false).expect("attached");
        assert_eq!(flags.high.save.as_deref(), Some("--bench"));
    }

    #[test]
    fn patterns_select_and_skip() {
        let flags = parsed("sum con(cat|tains) --skip 1000$", false).expect("flags");
        for (id, accepted) in [
            ("sum/10", true),
            ("text/contains", true),
            ("sum/1000", false),
            ("fib", false),
        ] {
            assert_eq!(flags.accepts(id, id), accepted, "{id}");
        }
        let exact = parsed("--exact a.c x --skip x", false).expect("flags");
        assert!(exact.accepts("a.c", "a.c") && !exact.accepts("abc", "abc"));
        assert!(!exact.accepts("x", "x"));
    }

    #[test]
    fn an_invalid_expression_is_quoted_as_it_was_typed() {
        for typed in ["(bad", "sum (bad", "--skip (bad"] {
            let error = parsed(typed, false).expect_err(typed);
            let quoted = "the filter \"(bad\" is not a regular expression: ";
            assert!(error.starts_with(quoted), "{error}");
            assert!(!error.contains("(?:"), "{error}");
        }
    }
}
