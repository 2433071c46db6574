//! What was typed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::vec::IntoIter;

use tourbillon_report::Pieces;

use super::flag::{Flag, Sets};
use super::nearest::nearest;
use super::table::{FLAGS, LONG};
use super::usage::Usage;
use super::value::{self, COLORS, FORMATS};
use crate::text::{owned, text};

/// What was typed, before the environment and the defaults have their say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Low {
    pub(super) cpus: Vec<u32>,
    pub(super) store: Option<PathBuf>,
    /// Filters and all other flags, in the order in which they were given.
    given: Vec<Given>,
}

/// A flag or filter that was given.
#[derive(Clone, Debug, PartialEq)]
struct Given {
    sets: Sets,
    /// Its value as it was typed; empty for a switch.
    typed: String,
    /// What [`number`] makes of that.
    number: u64,
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
        match low.read(arguments.into_iter()) {
            Ok(()) => Ok(low),
            Err(what) => Err(Usage::new(what)),
        }
    }

    /// Whether a flag was given.
    pub(super) fn has(&self, sets: Sets) -> bool {
        self.last(sets).is_some()
    }

    /// The value of a flag as a number, which [`number`] explains. What is given last holds.
    #[inline(never)]
    pub(super) fn number(&self, sets: Sets) -> Option<u64> {
        Some(self.last(sets)?.number)
    }

    /// The value of a flag as it was typed. What is given last holds.
    #[inline(never)]
    pub(super) fn text(&self, sets: Sets) -> Option<String> {
        Some(owned(&self.last(sets)?.typed))
    }

    /// All values of a flag that may be repeated.
    #[inline(never)]
    pub(super) fn texts(&self, sets: Sets) -> Vec<String> {
        let mut texts = Vec::new();
        for given in &self.given {
            if given.sets == sets {
                texts.push(owned(&given.typed));
            }
        }
        texts
    }

    #[inline(never)]
    fn last(&self, sets: Sets) -> Option<&Given> {
        let mut last = None;
        for given in &self.given {
            if given.sets == sets {
                last = Some(given);
            }
        }
        last
    }

    fn read(&mut self, mut rest: IntoIter<OsString>) -> Result<(), String> {
        let mut only_filters = false;
        while let Some(argument) = rest.next() {
            let Some(typed) = argument.to_str() else {
                return Err(text!(
                    "{argument:?} is not valid UTF-8; only a separate value may be not"
                ));
            };
            match typed.as_bytes() {
                b"--" if !only_filters => only_filters = true,
                [b'-', _, ..] if !only_filters => self.take_all(typed, &mut rest)?,
                _ => self.keep(Sets::Filter, typed, 0),
            }
        }
        Ok(())
    }

    /// Takes the flags in an argument: a long one, or what stands behind one dash: switches, the last
    /// of which may be a flag with its value.
    fn take_all(&mut self, typed: &str, rest: &mut IntoIter<OsString>) -> Result<(), String> {
        if let Some(long) = typed.strip_prefix("--") {
            let mut parts = Pieces::divided(long, b'=');
            let name = parts.next().unwrap_or_default();
            return self.take(find(name, None)?, &text!("--{name}"), parts.rest(), rest);
        }
        let mut letters = &typed[1..];
        while let Some(name) = letters.chars().next() {
            letters = &letters[name.len_utf8()..];
            let flag = find("", Some(name))?;
            let mut attached = None;
            if !flag.value.is_empty() && !letters.is_empty() {
                attached = Some(letters.strip_prefix("=").unwrap_or(letters));
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
    ) -> Result<(), String> {
        let value = match (flag.value, attached) {
            ("", None) => OsString::new(),
            ("", Some(_)) => {
                return Err(text!("{shown} takes no value; write {shown} alone"));
            }
            (_, Some(attached)) => OsString::from(owned(attached)),
            (name, None) => match rest.next() {
                Some(next) => next,
                None => return Err(text!("{shown} needs a value; write {shown} {name}")),
            },
        };
        match self.set(flag.sets, value) {
            Ok(()) => Ok(()),
            Err(what) => Err(text!("{shown}: {what}")),
        }
    }

    /// Keeps a flag with its value.
    #[inline(never)]
    fn set(&mut self, sets: Sets, value: OsString) -> Result<(), String> {
        if sets == Sets::Store {
            if value.is_empty() {
                return Err(owned("the path is empty; write the folder of the store"));
            }
            self.store = Some(PathBuf::from(value));
            self.keep(sets, "", 0);
            return Ok(());
        }
        let Some(typed) = value.to_str() else {
            return Err(text!("{value:?} is not valid UTF-8"));
        };
        if sets == Sets::Cpus {
            self.cpus = value::cpus(typed)?;
            return Ok(());
        }
        let number = number(sets, typed)?;
        self.keep(sets, typed, number);
        Ok(())
    }

    #[inline(never)]
    fn keep(&mut self, sets: Sets, typed: &str, number: u64) {
        self.given.push(Given {
            sets,
            typed: owned(typed),
            number,
        });
    }
}

/// The value of a flag as a number: a count, nanoseconds, a seed, the bits of a fraction, the place in
/// a list of what may be chosen; 0 for a switch and for what is a text.
///
/// # Errors
///
/// What is wrong with the value.
fn number(sets: Sets, typed: &str) -> Result<u64, String> {
    match sets {
        Sets::Launches => value::launches(typed),
        Sets::MinIterations | Sets::Count => value::count(typed),
        Sets::MinTime | Sets::MaxTime | Sets::Timeout | Sets::ProfileTime => value::duration(typed),
        Sets::Seed => value::seed(typed),
        Sets::Precision => value::precision(typed).map(f64::to_bits),
        Sets::Clock => value::clock(typed),
        Sets::Format => value::choice(typed, &FORMATS.0),
        Sets::Color => value::choice(typed, &COLORS.0),
        Sets::Save | Sets::Baseline if typed.trim_ascii().is_empty() => {
            Err(owned("the name is empty; write one such as main"))
        }
        Sets::Against if typed.is_empty() => {
            Err(owned("the id is empty; --list shows the ids of the cases"))
        }
        _ => Ok(0),
    }
}

/// The flag with this long or short name.
#[inline(never)]
fn find(long: &str, short: Option<char>) -> Result<&'static Flag, String> {
    for flag in FLAGS {
        // Either name may be missing.
        if !long.is_empty() && flag.long == long || short.is_some() && flag.short == short {
            return Ok(flag);
        }
    }
    let known = "--help lists the known ones";
    Err(match (short, nearest(long, &LONG)) {
        (Some(short), _) => text!("unknown flag -{short}; {known}"),
        (None, Some(meant)) => text!("unknown flag --{long}; did you mean --{meant}?"),
        (None, None) => text!("unknown flag --{long}; {known}"),
    })
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

    /// A command line that gave these, with no processor or store.
    fn given(flags: &[(Sets, &str, u64)]) -> Low {
        let mut low = Low::default();
        for (sets, typed, number) in flags {
            low.keep(*sets, typed, *number);
        }
        low
    }

    #[test]
    fn every_flag_is_kept_with_its_value() {
        for (line, flags) in [
            ("", &[][..]),
            ("--bench", &[(Sets::Bench, "", 0)]),
            ("--test", &[(Sets::Test, "", 0)]),
            ("--list", &[(Sets::List, "", 0)]),
            ("--help", &[(Sets::Help, "", 0)]),
            ("-h", &[(Sets::Help, "", 0)]),
            ("--version", &[(Sets::Version, "", 0)]),
            ("-V", &[(Sets::Version, "", 0)]),
            ("--exact", &[(Sets::Exact, "", 0)]),
            (
                "--skip a --skip=b",
                &[(Sets::Skip, "a", 0), (Sets::Skip, "b", 0)],
            ),
            (
                "--tag slow --tag net",
                &[(Sets::Tag, "slow", 0), (Sets::Tag, "net", 0)],
            ),
            ("--ignored", &[(Sets::Ignored, "", 0)]),
            ("--include-ignored", &[(Sets::IncludeIgnored, "", 0)]),
            (
                "--launches 5 --launches 7",
                &[(Sets::Launches, "5", 5), (Sets::Launches, "7", 7)],
            ),
            (
                "--precision 1%",
                &[(Sets::Precision, "1%", 0.01_f64.to_bits())],
            ),
            ("--min-time 1ms", &[(Sets::MinTime, "1ms", 1_000_000)]),
            ("--max-time=1s", &[(Sets::MaxTime, "1s", 1_000_000_000)]),
            ("--min-iterations 9", &[(Sets::MinIterations, "9", 9)]),
            ("--timeout 1min", &[(Sets::Timeout, "1min", 60_000_000_000)]),
            ("--clock wall", &[(Sets::Clock, "wall", 0)]),
            ("--seed 9f3c21", &[(Sets::Seed, "9f3c21", 0x9f_3c21)]),
            ("--no-store", &[(Sets::NoStore, "", 0)]),
            (
                "--profile-time 5s",
                &[(Sets::ProfileTime, "5s", 5_000_000_000)],
            ),
            ("--save main", &[(Sets::Save, "main", 0)]),
            ("--against a::b", &[(Sets::Against, "a::b", 0)]),
            ("--baseline=main", &[(Sets::Baseline, "main", 0)]),
            ("--format jsonl", &[(Sets::Format, "jsonl", 1)]),
            ("--color never", &[(Sets::Color, "never", 2)]),
            ("--quiet", &[(Sets::Quiet, "", 0)]),
            ("-q", &[(Sets::Quiet, "", 0)]),
            ("--nocapture", &[(Sets::NoCapture, "", 0)]),
            ("--no-capture", &[(Sets::NoCapture, "", 0)]),
            ("--show-output", &[(Sets::Nothing, "", 0)]),
            ("--test-threads 4", &[(Sets::Count, "4", 4)]),
            ("--report-time", &[(Sets::Nothing, "", 0)]),
            (
                "--shuffle --shuffle-seed 3",
                &[(Sets::Nothing, "", 0), (Sets::Nothing, "3", 0)],
            ),
            (
                "-Z unstable-options",
                &[(Sets::Nothing, "unstable-options", 0)],
            ),
            (
                "-Zunstable-options",
                &[(Sets::Nothing, "unstable-options", 0)],
            ),
            (
                "-Z=unstable-options",
                &[(Sets::Nothing, "unstable-options", 0)],
            ),
            (
                "-qZ unstable-options",
                &[(Sets::Quiet, "", 0), (Sets::Nothing, "unstable-options", 0)],
            ),
            ("-qh", &[(Sets::Quiet, "", 0), (Sets::Help, "", 0)]),
            (
                "--skip=a=b --skip -c --skip --",
                &[
                    (Sets::Skip, "a=b", 0),
                    (Sets::Skip, "-c", 0),
                    (Sets::Skip, "--", 0),
                ],
            ),
        ] {
            assert_eq!(typed(line), given(flags), "{line}");
        }
    }

    #[test]
    fn filters_processors_and_the_store() {
        for (line, filters) in [
            ("sort heap", &["sort", "heap"][..]),
            ("-- --list", &["--list"]),
            ("-", &["-"]),
            ("-- -- -x", &["--", "-x"]),
        ] {
            let mut expected = Low::default();
            for filter in filters {
                expected.keep(Sets::Filter, filter, 0);
            }
            assert_eq!(typed(line), expected, "{line}");
        }
        let expected = Low {
            cpus: vec![0, 1],
            ..Low::default()
        };
        assert_eq!(typed("--cpus 0,1"), expected);
        let expected = Low {
            store: Some(PathBuf::from("somewhere")),
            ..given(&[(Sets::Store, "", 0)])
        };
        assert_eq!(typed("--store somewhere"), expected);
    }

    #[test]
    fn what_is_given_last_holds() {
        let low = typed("--launches 5 --save a --skip x --launches 7 --save b --skip y");
        assert_eq!(low.number(Sets::Launches), Some(7));
        assert_eq!(low.text(Sets::Save).as_deref(), Some("b"));
        assert_eq!(low.texts(Sets::Skip), ["x", "y"]);
        assert!(low.has(Sets::Save) && !low.has(Sets::Baseline));
        assert_eq!(low.number(Sets::Seed), None);
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
        let value = vec![OsString::from("--save"), OsString::from_vec(vec![0xff])];
        let error = Low::parse(value).expect_err("no text");
        assert_eq!(error.to_string(), "--save: \"\\xFF\" is not valid UTF-8");
    }
}
