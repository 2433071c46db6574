//! What was typed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::vec::IntoIter;

use tourbillon_record::Metric;
use tourbillon_report::Pieces;

use super::flag::{Flag, Sets};
use super::nearest::nearest;
use super::table::FLAGS;
use super::usage::Usage;
use super::value::{self, Color, Format};
use crate::text::{owned, text};

/// What was typed, flag by flag, before the environment and the defaults have their say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Low {
    pub(super) bench: bool,
    pub(super) test: bool,
    pub(super) list: bool,
    pub(super) help: bool,
    pub(super) version: bool,
    pub(super) filters: Vec<String>,
    pub(super) exact: bool,
    pub(super) skip: Vec<String>,
    pub(super) tags: Vec<String>,
    pub(super) ignored: bool,
    pub(super) include_ignored: bool,
    pub(super) launches: Option<u32>,
    pub(super) precision: Option<f64>,
    pub(super) min_time_ns: Option<u64>,
    pub(super) max_time_ns: Option<u64>,
    pub(super) min_iterations: Option<u64>,
    pub(super) timeout_ns: Option<u64>,
    pub(super) metric: Option<Metric>,
    pub(super) cpus: Vec<u32>,
    pub(super) seed: Option<u64>,
    pub(super) store: Option<PathBuf>,
    pub(super) no_store: bool,
    pub(super) profile_ns: Option<u64>,
    pub(super) save: Option<String>,
    pub(super) baseline: Option<String>,
    pub(super) against: Option<String>,
    pub(super) format: Option<Format>,
    pub(super) color: Option<Color>,
    pub(super) quiet: bool,
    pub(super) no_capture: bool,
}

impl Low {
    /// Reads a command line without the program's name.
    ///
    /// The usual forms: `--name value`, `--name=value`, `-n value`, `-nvalue`, `-n=value`, several
    /// switches behind one dash, and nothing but filters behind `--`.
    ///
    /// # Errors
    ///
    /// The first thing in it that is not understood.
    #[inline(never)]
    pub(crate) fn parse(arguments: Vec<OsString>) -> Result<Low, Usage> {
        let mut low = Low::default();
        let mut rest = arguments.into_iter();
        let mut only_filters = false;
        while let Some(argument) = rest.next() {
            let typed = match value::text(argument) {
                Ok(typed) => typed,
                Err(what) => return Err(Usage::new(what + "; only a separate value may be not")),
            };
            if only_filters {
                low.filters.push(typed);
            } else if typed == "--" {
                only_filters = true;
            } else if let Some(long) = typed.strip_prefix("--") {
                let mut parts = Pieces::divided(long, b'=');
                let name = parts.next().unwrap_or_default();
                low.take(
                    find_long(name)?,
                    &text!("--{name}"),
                    parts.rest(),
                    &mut rest,
                )?;
            } else if typed.len() > 1 && typed.starts_with('-') {
                low.take_short(&typed[1..], &mut rest)?;
            } else {
                low.filters.push(typed);
            }
        }
        Ok(low)
    }

    /// Takes what stands behind one dash: switches, the last of which may be a flag with its value.
    fn take_short(
        &mut self,
        mut letters: &str,
        rest: &mut IntoIter<OsString>,
    ) -> Result<(), Usage> {
        while let Some(name) = letters.chars().next() {
            letters = &letters[name.len_utf8()..];
            let flag = find_short(name)?;
            let mut attached = None;
            if !flag.value.is_empty() && !letters.is_empty() {
                attached = Some(letters.strip_prefix('=').unwrap_or(letters));
                letters = "";
            }
            self.take(flag, &text!("-{name}"), attached, rest)?;
        }
        Ok(())
    }

    /// Takes a flag, which is `shown` in messages, and its value: the one attached, else the next
    /// argument.
    #[inline(never)]
    fn take(
        &mut self,
        flag: &Flag,
        shown: &str,
        attached: Option<&str>,
        rest: &mut IntoIter<OsString>,
    ) -> Result<(), Usage> {
        let typed = match (flag.value, attached) {
            ("", None) => OsString::new(),
            ("", Some(_)) => {
                let what = text!("{shown} takes no value; write {shown} alone");
                return Err(Usage::new(what));
            }
            (_, Some(attached)) => OsString::from(attached),
            (name, None) => match rest.next() {
                Some(next) => next,
                None => {
                    let what = text!("{shown} needs a value; write {shown} {name}");
                    return Err(Usage::new(what));
                }
            },
        };
        self.set(flag.sets, typed)
            .map_err(|what| Usage::new(text!("{shown}: {what}")))
    }

    /// Does what a flag asks for; `typed` is its value.
    fn set(&mut self, sets: Sets, typed: OsString) -> Result<(), String> {
        if sets == Sets::Store {
            if typed.is_empty() {
                return Err(owned("the path is empty; write the folder of the store"));
            }
            self.store = Some(PathBuf::from(typed));
            return Ok(());
        }
        let typed = value::text(typed)?;
        // A switch has no value to read.
        if let Some(switch) = self.switch(sets) {
            *switch = true;
            return Ok(());
        }
        self.read(sets, &typed)
    }

    /// The place of a switch; `None` for a flag with a value.
    fn switch(&mut self, sets: Sets) -> Option<&mut bool> {
        Some(match sets {
            Sets::Help => &mut self.help,
            Sets::Version => &mut self.version,
            Sets::List => &mut self.list,
            Sets::Test => &mut self.test,
            Sets::Bench => &mut self.bench,
            Sets::Exact => &mut self.exact,
            Sets::Ignored => &mut self.ignored,
            Sets::IncludeIgnored => &mut self.include_ignored,
            Sets::Quiet => &mut self.quiet,
            Sets::NoCapture => &mut self.no_capture,
            Sets::NoStore => &mut self.no_store,
            _ => return None,
        })
    }

    /// Reads the value of a flag.
    fn read(&mut self, sets: Sets, typed: &str) -> Result<(), String> {
        match sets {
            Sets::Skip => self.skip.push(owned(typed)),
            Sets::Tag => self.tags.push(owned(typed)),
            Sets::Launches => self.launches = Some(value::launches(typed)?),
            Sets::Precision => self.precision = Some(value::precision(typed)?),
            Sets::MinTime => self.min_time_ns = Some(value::duration(typed)?),
            Sets::MaxTime => self.max_time_ns = Some(value::duration(typed)?),
            Sets::MinIterations => self.min_iterations = Some(value::count(typed)?),
            Sets::Timeout => self.timeout_ns = Some(value::duration(typed)?),
            Sets::Clock => self.metric = Some(value::clock(typed)?),
            Sets::Cpus => self.cpus = value::cpus(typed)?,
            Sets::Seed => self.seed = Some(value::seed(typed)?),
            Sets::ProfileTime => self.profile_ns = Some(value::duration(typed)?),
            Sets::Save => self.save = Some(value::name(typed)?),
            Sets::Baseline => self.baseline = Some(value::name(typed)?),
            Sets::Against => self.against = Some(value::case(typed)?),
            Sets::Format => self.format = Some(value::format(typed)?),
            Sets::Color => self.color = Some(value::color(typed)?),
            Sets::Count => {
                value::count(typed)?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn find_long(name: &str) -> Result<&'static Flag, Usage> {
    for flag in FLAGS {
        if flag.long == name && !name.is_empty() {
            return Ok(flag);
        }
    }
    let mut known = Vec::new();
    for flag in FLAGS {
        known.push(flag.long);
    }
    let advice = match nearest(name, &known) {
        Some(meant) => text!("did you mean --{meant}?"),
        None => owned("--help lists the known ones"),
    };
    Err(Usage::new(text!("unknown flag --{name}; {advice}")))
}

fn find_short(name: char) -> Result<&'static Flag, Usage> {
    for flag in FLAGS {
        if flag.short == Some(name) {
            return Ok(flag);
        }
    }
    let what = text!("unknown flag -{name}; --help lists the known ones");
    Err(Usage::new(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Low, String> {
        Low::parse(line.split_whitespace().map(OsString::from).collect())
            .map_err(|usage| usage.to_string())
    }

    fn typed(line: &str) -> Low {
        parse(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn every_flag_sets_its_field_and_nothing_else() {
        type Set = fn(&mut Low);
        let cases: Vec<(&str, Set)> = vec![
            ("", |_| {}),
            ("--bench", |low| low.bench = true),
            ("--test", |low| low.test = true),
            ("--list", |low| low.list = true),
            ("--help", |low| low.help = true),
            ("-h", |low| low.help = true),
            ("--version", |low| low.version = true),
            ("-V", |low| low.version = true),
            ("sort heap", |low| {
                low.filters = vec!["sort".to_owned(), "heap".to_owned()]
            }),
            ("-- --list", |low| low.filters = vec!["--list".to_owned()]),
            ("--exact", |low| low.exact = true),
            ("--skip a --skip=b", |low| {
                low.skip = vec!["a".to_owned(), "b".to_owned()]
            }),
            ("--tag slow --tag net", |low| {
                low.tags = vec!["slow".to_owned(), "net".to_owned()]
            }),
            ("--ignored", |low| low.ignored = true),
            ("--include-ignored", |low| low.include_ignored = true),
            ("--launches 5 --launches 7", |low| low.launches = Some(7)),
            ("--precision 1%", |low| low.precision = Some(0.01)),
            ("--min-time 1ms", |low| low.min_time_ns = Some(1_000_000)),
            ("--max-time=1s", |low| low.max_time_ns = Some(1_000_000_000)),
            ("--min-iterations 9", |low| low.min_iterations = Some(9)),
            ("--timeout 1min", |low| {
                low.timeout_ns = Some(60_000_000_000)
            }),
            ("--clock wall", |low| low.metric = Some(Metric::Time)),
            ("--cpus 0,1", |low| low.cpus = vec![0, 1]),
            ("--seed 9f3c21", |low| low.seed = Some(0x9f_3c21)),
            ("--store somewhere", |low| {
                low.store = Some(PathBuf::from("somewhere"))
            }),
            ("--no-store", |low| low.no_store = true),
            ("--profile-time 5s", |low| {
                low.profile_ns = Some(5_000_000_000)
            }),
            ("--save main", |low| low.save = Some("main".to_owned())),
            ("--against a::b", |low| {
                low.against = Some("a::b".to_owned())
            }),
            ("--baseline=main", |low| {
                low.baseline = Some("main".to_owned())
            }),
            ("--format jsonl", |low| low.format = Some(Format::Jsonl)),
            ("--color never", |low| low.color = Some(Color::Never)),
            ("--quiet", |low| low.quiet = true),
            ("-q", |low| low.quiet = true),
            ("--nocapture", |low| low.no_capture = true),
            ("--no-capture", |low| low.no_capture = true),
            ("--show-output", |_| {}),
            ("--test-threads 4", |_| {}),
            ("--report-time", |_| {}),
            ("--shuffle --shuffle-seed 3", |_| {}),
            ("-Z unstable-options", |_| {}),
            ("-Zunstable-options", |_| {}),
            ("-Z=unstable-options", |_| {}),
            ("-qZ unstable-options", |low| low.quiet = true),
            ("-qh", |low| {
                low.quiet = true;
                low.help = true;
            }),
            ("-", |low| low.filters = vec!["-".to_owned()]),
            ("--skip=a=b --skip -c --skip --", |low| {
                low.skip = vec!["a=b".to_owned(), "-c".to_owned(), "--".to_owned()]
            }),
            ("--bench -- -- -x", |low| {
                low.bench = true;
                low.filters = vec!["--".to_owned(), "-x".to_owned()];
            }),
        ];
        for (line, set) in cases {
            let mut expected = Low::default();
            set(&mut expected);
            assert_eq!(typed(line), expected, "{line}");
        }
    }

    #[test]
    fn what_is_not_understood() {
        for (line, expected) in [
            (
                "--luanches 3",
                "unknown flag --luanches; did you mean --launches?",
            ),
            (
                "--save-baseline x",
                "unknown flag --save-baseline; --help lists the known ones",
            ),
            ("-x", "unknown flag -x; --help lists the known ones"),
            ("--launches", "--launches needs a value; write --launches N"),
            ("-qx", "unknown flag -x; --help lists the known ones"),
            ("-q=1", "unknown flag -=; --help lists the known ones"),
            ("-Z", "-Z needs a value; write -Z NAME"),
            ("--=1", "unknown flag --; --help lists the known ones"),
            ("--list=yes", "--list takes no value; write --list alone"),
            ("--launches 0", "--launches: \"0\" is too few; at least 1"),
            (
                "--max-time 2",
                "--max-time: \"2\" is no duration; write a number and one of ns, us, µs, ms, s, m, \
                 min, h, such as \"1.5 s\"",
            ),
            (
                "--format xml",
                "--format: \"xml\" is not known; known are text, jsonl, csv, csv-semicolon, md, gnuplot, \
                 terse, pretty",
            ),
            (
                "--store=",
                "--store: the path is empty; write the folder of the store",
            ),
            (
                "--test-threads 0",
                "--test-threads: \"0\" is too few; at least 1",
            ),
        ] {
            assert_eq!(parse(line), Err(expected.to_owned()), "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_filter_that_is_no_text() {
        use std::os::unix::ffi::OsStringExt;
        let error = Low::parse(vec![OsString::from_vec(vec![0xff])]).expect_err("no text");
        assert_eq!(
            error.to_string(),
            "\"\\xFF\" is not valid UTF-8; only a separate value may be not"
        );
    }
}
