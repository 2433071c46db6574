//! The table of flags: parsing, help and error texts all come from it.

use std::ffi::OsString;
use std::path::PathBuf;

use super::low::Low;
use super::value;

/// One flag.
#[derive(Debug)]
pub(super) struct Flag {
    /// Name after two dashes.
    pub(super) long: Option<&'static str>,
    /// Name after one dash.
    pub(super) short: Option<char>,
    /// Heading of the help under which it stands.
    pub(super) group: Group,
    /// Whether a value follows, and what the flag does.
    pub(super) takes: Takes,
    /// One or two sentences, without a full stop at the end.
    pub(super) help: &'static str,
}

/// Whether a value follows a flag, and what is done with it.
#[derive(Debug)]
pub(super) enum Takes {
    /// A switch.
    Nothing(fn(&mut Low)),
    /// A value, with the name that stands for it in texts.
    Value(&'static str, fn(&mut Low, OsString) -> Result<(), String>),
}

/// Headings of the help, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Mode,
    Selection,
    Measuring,
    Output,
    Accepted,
}

impl Group {
    pub(super) const ALL: [Group; 5] = [
        Group::Mode,
        Group::Selection,
        Group::Measuring,
        Group::Output,
        Group::Accepted,
    ];

    pub(super) const fn heading(self) -> &'static str {
        match self {
            Group::Mode => "What to do (of several, the first in this list)",
            Group::Selection => "Which cases",
            Group::Measuring => "How to measure (flags win over attributes)",
            Group::Output => "What to print and keep",
            Group::Accepted => "Taken for the sake of test runners, without effect",
        }
    }
}

const fn flag(group: Group, long: &'static str, takes: Takes, help: &'static str) -> Flag {
    Flag {
        long: Some(long),
        short: None,
        group,
        takes,
        help,
    }
}

const fn with_short(short: char, flag: Flag) -> Flag {
    Flag {
        short: Some(short),
        ..flag
    }
}

/// Every flag, in the order of the help.
pub(super) const FLAGS: &[Flag] = &[
    with_short(
        'h',
        flag(
            Group::Mode,
            "help",
            Takes::Nothing(|low| low.help = true),
            "print this help",
        ),
    ),
    with_short(
        'V',
        flag(
            Group::Mode,
            "version",
            Takes::Nothing(|low| low.version = true),
            "print the version",
        ),
    ),
    flag(
        Group::Mode,
        "list",
        Takes::Nothing(|low| low.list = true),
        "list the cases; with --format terse one `ID: benchmark` a line",
    ),
    flag(
        Group::Mode,
        "test",
        Takes::Nothing(|low| low.test = true),
        "run each case once, in this process, without measuring; this is also what happens \
         without --bench, as under cargo test",
    ),
    flag(
        Group::Mode,
        "bench",
        Takes::Nothing(|low| low.bench = true),
        "measure; cargo bench passes this",
    ),
    flag(
        Group::Selection,
        "exact",
        Takes::Nothing(|low| low.exact = true),
        "filters and --skip name whole ids instead of parts",
    ),
    flag(
        Group::Selection,
        "skip",
        Takes::Value("PATTERN", |low, typed| {
            low.skip.push(value::text(typed)?);
            Ok(())
        }),
        "leave out cases whose id contains PATTERN; may be repeated",
    ),
    flag(
        Group::Selection,
        "tag",
        Takes::Value("TAG", |low, typed| {
            low.tags.push(value::text(typed)?);
            Ok(())
        }),
        "only cases with this tag; repeated: with any of them",
    ),
    flag(
        Group::Selection,
        "ignored",
        Takes::Nothing(|low| low.ignored = true),
        "only the cases that are marked to be ignored",
    ),
    flag(
        Group::Selection,
        "include-ignored",
        Takes::Nothing(|low| low.include_ignored = true),
        "the ignored cases as well",
    ),
    flag(
        Group::Measuring,
        "launches",
        Takes::Value("N", |low, typed| {
            low.launches = Some(value::launches(typed)?);
            Ok(())
        }),
        "launches per case at most: rounds of fresh processes [20]",
    ),
    flag(
        Group::Measuring,
        "precision",
        Takes::Value("P", |low, typed| {
            low.precision = Some(value::precision(typed)?);
            Ok(())
        }),
        "go on for up to 80 launches until the interval's half-width is below P of the estimate, \
         such as 1%",
    ),
    flag(
        Group::Measuring,
        "min-time",
        Takes::Value("T", |low, typed| {
            low.min_time_ns = Some(value::duration(typed)?);
            Ok(())
        }),
        "measure each case for at least T, all launches together, such as 500ms",
    ),
    flag(
        Group::Measuring,
        "max-time",
        Takes::Value("T", |low, typed| {
            low.max_time_ns = Some(value::duration(typed)?);
            Ok(())
        }),
        "measure each case for at most T, all launches together",
    ),
    flag(
        Group::Measuring,
        "min-iterations",
        Takes::Value("N", |low, typed| {
            low.min_iterations = Some(value::iterations(typed)?);
            Ok(())
        }),
        "at least N iterations in each visit",
    ),
    flag(
        Group::Measuring,
        "timeout",
        Takes::Value("T", |low, typed| {
            low.timeout_ns = Some(value::duration(typed)?);
            Ok(())
        }),
        "give up a visit that shows no sign of life for T [the larger of 30s and ten times its \
         first call]",
    ),
    flag(
        Group::Measuring,
        "cpus",
        Takes::Value("LIST", |low, typed| {
            low.cpus = value::cpus(typed)?;
            Ok(())
        }),
        "pin what is measured to these processors, such as 2 or 0,2-3 [no pinning]",
    ),
    flag(
        Group::Measuring,
        "seed",
        Takes::Value("SEED", |low, typed| {
            low.seed = Some(value::seed(typed)?);
            Ok(())
        }),
        "draw everything that chance decides from this seed, in hexadecimal digits as the header \
         shows it, or 0d and decimal ones [a new one]",
    ),
    flag(
        Group::Output,
        "format",
        Takes::Value("FORMAT", |low, typed| {
            low.format = Some(value::format(typed)?);
            Ok(())
        }),
        "text, jsonl (one JSON object a line on stdout, text on stderr), or terse (with --list \
         and --test) [text]",
    ),
    flag(
        Group::Output,
        "color",
        Takes::Value("WHEN", |low, typed| {
            low.color = Some(value::color(typed)?);
            Ok(())
        }),
        "auto, always or never [auto]",
    ),
    with_short(
        'q',
        flag(
            Group::Output,
            "quiet",
            Takes::Nothing(|low| low.quiet = true),
            "results and failures only",
        ),
    ),
    flag(
        Group::Output,
        "nocapture",
        Takes::Nothing(|low| low.no_capture = true),
        "show what benchmarks print, on stderr while measuring",
    ),
    // The spelling that the built-in test harness has come to prefer.
    flag(
        Group::Output,
        "no-capture",
        Takes::Nothing(|low| low.no_capture = true),
        "the same",
    ),
    flag(
        Group::Output,
        "store",
        Takes::Value("DIR", |low, typed| {
            if typed.is_empty() {
                return Err("the path is empty; write the folder of the store".to_owned());
            }
            low.store = Some(PathBuf::from(typed));
            Ok(())
        }),
        "keep the record of the run in this folder [tourbillon in the target folder]",
    ),
    flag(
        Group::Output,
        "no-store",
        Takes::Nothing(|low| low.no_store = true),
        "keep no record",
    ),
    flag(
        Group::Accepted,
        "show-output",
        Takes::Nothing(|_| {}),
        "what failing cases print is always shown",
    ),
    flag(
        Group::Accepted,
        "test-threads",
        Takes::Value("N", |_, typed| value::threads(typed).map(|_| ())),
        "one case runs at a time",
    ),
    flag(
        Group::Accepted,
        "report-time",
        Takes::Nothing(|_| {}),
        "test mode reads no clock",
    ),
    flag(
        Group::Accepted,
        "shuffle",
        Takes::Nothing(|_| {}),
        "visits are always shuffled",
    ),
    flag(
        Group::Accepted,
        "shuffle-seed",
        Takes::Value("N", |_, typed| value::text(typed).map(|_| ())),
        "see --seed",
    ),
    Flag {
        long: None,
        short: Some('Z'),
        group: Group::Accepted,
        takes: Takes::Value("NAME", |_, typed| value::text(typed).map(|_| ())),
        help: "as in -Z unstable-options",
    },
];

#[cfg(test)]
mod tests {
    use super::{FLAGS, Takes};

    #[test]
    fn names_are_unique_and_every_flag_has_one_and_a_help() {
        for (index, flag) in FLAGS.iter().enumerate() {
            assert!(flag.long.is_some() || flag.short.is_some());
            assert!(
                !flag.help.is_empty() && !flag.help.ends_with('.'),
                "{}",
                flag.help
            );
            for other in &FLAGS[index + 1..] {
                assert!(
                    flag.long.is_none() || flag.long != other.long,
                    "{:?}",
                    flag.long
                );
                assert!(
                    flag.short.is_none() || flag.short != other.short,
                    "{:?}",
                    flag.short
                );
            }
        }
    }

    #[test]
    fn the_names_of_values_are_capitals() {
        for flag in FLAGS {
            if let Takes::Value(name, _) = flag.takes {
                assert!(name.chars().all(|c| c.is_ascii_uppercase()), "{name}");
            }
        }
    }
}
