//! The command line: criterion's flags, and those of Tourbillon.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use lexopt::{Arg, Parser, ValueExt};
use tourbillon::program::{Environment, HighArgs, LowArgs, Mode};

use crate::filter::{BenchmarkFilter, Regex};
use crate::options::Options;

/// The command line of a suite.
#[derive(Clone, Debug)]
pub(crate) struct Flags {
    /// What Tourbillon's bench programs need of it.
    pub(crate) high: HighArgs,
    /// The benchmarks that it names; `None` where it names none.
    pub(crate) filter: Option<BenchmarkFilter>,
    /// Settings in place of criterion's defaults.
    pub(crate) settings: Settings,
    program: String,
}

/// Settings of a command line, which those of a suite's groups override.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settings {
    sample_size: Option<usize>,
    warm_up_time: Option<Duration>,
    measurement_time: Option<Duration>,
    nresamples: Option<usize>,
    noise_threshold: Option<f64>,
    confidence_level: Option<f64>,
    significance_level: Option<f64>,
}

impl Settings {
    /// Replaces the settings that the command line has.
    pub(crate) fn apply(&self, options: &mut Options) {
        fn replace<T: Copy>(own: Option<T>, place: &mut T) {
            if let Some(own) = own {
                *place = own;
            }
        }
        replace(self.sample_size, &mut options.sample_size);
        replace(self.warm_up_time, &mut options.warm_up_time);
        replace(self.measurement_time, &mut options.measurement_time);
        replace(self.nresamples, &mut options.nresamples);
        replace(self.noise_threshold, &mut options.noise_threshold);
        replace(self.confidence_level, &mut options.confidence_level);
        replace(self.significance_level, &mut options.significance_level);
    }
}

/// The help of what only suites of criterion have.
const HELP: &str = "
Flags of criterion:
  -s, --save-baseline NAME  as --save
  -b, --baseline NAME       compare with the results saved under this name
      --baseline-lenient NAME
                            the same
      --discard-baseline    as --no-store
      --measurement-time S, --warm-up-time S
                            their sum is what eight launches of a benchmark may
                            take, in seconds [5 and 3]
      --quick               eight launches of each benchmark
  -n, --noplot, --plotting-backend NAME, --sample-size N, --nresamples N,
      --noise-threshold F, --confidence-level F, --significance-level F
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
        Flags::parse(&program.to_string_lossy(), &arguments, &Environment::read())
    }

    fn parse(
        program: &str,
        arguments: &[OsString],
        environment: &Environment,
    ) -> Result<Flags, String> {
        let mut low = LowArgs::default();
        let mut settings = Settings::default();
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
            if !settings.set(&flag, &mut low, &mut parser)? {
                low.set(&flag, &mut parser)?;
            }
        }
        let filter = filter(&low)?;
        Ok(Flags {
            high: HighArgs::new(low, environment)?,
            filter,
            settings,
            program: program.to_owned(),
        })
    }

    /// Whether a benchmark is one of those that the command line names.
    pub(crate) fn accepts(&self, id: &str, base: &str) -> bool {
        let filter = self.filter.as_ref();
        filter.is_none_or(|filter| filter.accepts(id, base))
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

impl Settings {
    /// Takes a flag that only suites of criterion have, or that has another form there; false for others.
    fn set(&mut self, flag: &str, low: &mut LowArgs, parser: &mut Parser) -> Result<bool, String> {
        match flag {
            "-s" | "--save-baseline" => low.save = Some(text(flag, parser)?),
            "-b" | "--baseline" | "--baseline-lenient" => low.baseline = Some(text(flag, parser)?),
            "--discard-baseline" => low.no_store = true,
            "--sample-size" => self.sample_size = Some(number(flag, parser)?),
            "--warm-up-time" => self.warm_up_time = Some(seconds(flag, parser)?),
            "--measurement-time" => self.measurement_time = Some(seconds(flag, parser)?),
            "--nresamples" => self.nresamples = Some(number(flag, parser)?),
            "--noise-threshold" => self.noise_threshold = Some(number(flag, parser)?),
            "--confidence-level" => self.confidence_level = Some(number(flag, parser)?),
            "--significance-level" => self.significance_level = Some(number(flag, parser)?),
            "--profile-time" => {
                let ns = seconds(flag, parser)?.as_nanos();
                low.profile_time = Some(u64::try_from(ns).unwrap_or(u64::MAX));
            }
            "--quick" => low.options.launches = Some(8),
            "-n" | "--noplot" => {}
            "--plotting-backend" => {
                text(flag, parser)?;
            }
            "-c" | "--colour" => low.set("--color", parser)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The benchmarks that a command line names.
fn filter(low: &LowArgs) -> Result<Option<BenchmarkFilter>, String> {
    let filters: Vec<String> = match &low.filters[..] {
        // A suite of criterion cannot mark benchmarks to be ignored.
        _ if low.ignored => return Ok(Some(BenchmarkFilter::RejectAll)),
        [] => return Ok(None),
        [one] if low.exact => return Ok(Some(BenchmarkFilter::Exact(one.clone()))),
        several if low.exact => {
            let whole = several.iter().map(|filter| format!("^{}$", quoted(filter)));
            whole.collect()
        }
        several => several.to_vec(),
    };
    let any = filters.iter().map(|filter| format!("(?:{filter})"));
    let any = any.collect::<Vec<_>>().join("|");
    let regex = Regex::new(&any).map_err(|error| {
        format!("the filter {any:?} is not a regular expression: {error}; see --exact")
    })?;
    Ok(Some(BenchmarkFilter::Regex(regex)))
}

/// A text as a regular expression that matches it.
fn quoted(text: &str) -> String {
    regex_lite::escape(text)
}

fn value(flag: &str, parser: &mut Parser) -> Result<OsString, String> {
    parser
        .value()
        .map_err(|_| format!("{flag} needs a value; see --help"))
}

fn text(flag: &str, parser: &mut Parser) -> Result<String, String> {
    let typed = value(flag, parser)?.string();
    typed.map_err(|error| format!("{flag}: {error}"))
}

fn number<T: std::str::FromStr>(flag: &str, parser: &mut Parser) -> Result<T, String> {
    let typed = text(flag, parser)?;
    let number = typed.parse();
    number.map_err(|_| format!("{flag}: {typed:?} is not a number that it takes"))
}

/// Seconds: criterion's durations have no unit. One with a unit is taken, too.
fn seconds(flag: &str, parser: &mut Parser) -> Result<Duration, String> {
    let typed = text(flag, parser)?;
    let seconds = match typed.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => tourbillon_values::duration(&typed)
            .ok()
            .map(Duration::from_nanos),
    };
    let seconds = seconds.filter(|time| !time.is_zero());
    seconds.ok_or_else(|| format!("{flag}: {typed:?} is not a time above zero; write 5 or 5s"))
}
