//! The command line: criterion's flags, and those of Tourbillon.

mod results;
mod settings;
mod typed;

use std::env;
use std::ffi::OsString;
use std::io::{IsTerminal, stdout};
use std::path::Path;

use lexopt::{Arg, Parser};
use tourbillon::program::{Environment, Format, HighArgs, LowArgs, Mode};
use tourbillon_record::store::Store;
use tourbillon_values::is_colored;

use self::results::ResultFlags;
use self::settings::Settings;
use self::typed::seconds;
use crate::baseline::Baselines;
use crate::filter::{BenchmarkFilter, Regex};
use crate::lines::Lines;

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

/// The help of what only suites of criterion have.
const HELP: &str = "
Flags of criterion:
  FILTER                  is a regular expression
  -s, --save-baseline NAME
                          compare with the results of this name, and replace
                          them; as --save, too
  -b, --baseline NAME     compare with the results of this name, which have to
                          exist
      --baseline-lenient NAME
                          compare where there are results of this name
      --load-baseline NAME
                          run nothing; compare the results of this name with
                          those of --baseline
      --discard-baseline  write no files and keep no record
      --output-format FORMAT
                          criterion or bencher: lines on stdout [criterion on a
                          pipe, a table on a terminal]
      --noise-threshold F
                          report no change that may be smaller [0.01]
      --warm-up-time S, --measurement-time S
                          their sum is what eight launches of a benchmark may
                          take, in seconds [3 and 5]
      --profile-time S    a number without unit is seconds
      --quick             as --launches 8
  -n, --noplot            write no page
      --sample-size N, --nresamples N, --confidence-level F,
      --significance-level F, --plotting-backend NAME
                          accepted, without effect
";

impl Flags {
    /// The command line of this process; that of a worker is not read.
    ///
    /// # Errors
    ///
    /// The first thing in it that is not understood.
    pub(crate) fn of_process(is_worker: bool) -> Result<Flags, String> {
        let mut arguments = env::args_os();
        let program = arguments.next().unwrap_or_default();
        let program = Path::new(&program).file_name().unwrap_or_default();
        let arguments: Vec<OsString> = if is_worker {
            Vec::new()
        } else {
            arguments.collect()
        };
        let is_terminal = stdout().is_terminal();
        let program = program.to_string_lossy();
        Flags::parse(&program, &arguments, &Environment::read(), is_terminal)
    }

    fn parse(
        program: &str,
        arguments: &[OsString],
        environment: &Environment,
        stdout_is_terminal: bool,
    ) -> Result<Flags, String> {
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
                    let filter = filter.to_str();
                    let filter = filter.ok_or("a filter is not valid UTF-8")?;
                    low.filters.push(filter.to_owned());
                    continue;
                }
            };
            match flag.as_str() {
                "--quick" => is_quick = true,
                "--profile-time" => {
                    let ns = seconds(&flag, &mut parser)?.as_nanos();
                    low.profile_time = Some(u64::try_from(ns).unwrap_or(u64::MAX));
                }
                "-c" | "--colour" => low.set("--color", &mut parser)?,
                flag => {
                    let is_known = settings.set(flag, &mut parser)?
                        || results.set(flag, &mut low, &mut parser)?;
                    if !is_known {
                        low.set(flag, &mut parser)?;
                    }
                }
            }
        }
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
            color: is_colored(low.color, stdout_is_terminal, variable),
            quiet: low.quiet,
            verbose: low.verbose,
        });
        if lines.is_some() {
            low.format = Format::FrontEnd;
        }
        let mut high = HighArgs::new(low, environment)?;
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
        let text = tourbillon::program::text(self.high.mode, &self.program);
        match self.high.mode {
            Mode::Help => text + HELP,
            _ => text,
        }
    }
}

/// Whether there is a place for records. Files of results need none.
fn has_store(high: &HighArgs) -> bool {
    let executable = env::current_exe().unwrap_or_default();
    let (flag, environment) = (&high.store.flag, &high.store.environment);
    Store::locate(flag.as_deref(), environment.as_deref(), &executable).is_ok()
}

/// The benchmarks that one of several patterns names; `None` without patterns.
fn filter(patterns: &[String], is_exact: bool) -> Result<Option<BenchmarkFilter>, String> {
    let patterns: Vec<String> = match patterns {
        [] => return Ok(None),
        [one] if is_exact => return Ok(Some(BenchmarkFilter::Exact(one.clone()))),
        several if is_exact => {
            let whole = several
                .iter()
                .map(|filter| format!("^{}$", regex_lite::escape(filter)));
            whole.collect()
        }
        several => several.to_vec(),
    };
    let any = patterns.iter().map(|pattern| format!("(?:{pattern})"));
    let any = any.collect::<Vec<_>>().join("|");
    let regex = Regex::new(&any).map_err(|error| {
        format!("the filter {any:?} is not a regular expression: {error}; see --exact")
    })?;
    Ok(Some(BenchmarkFilter::Regex(regex)))
}
