//! The table of flags: parsing, help and error texts all come from it.

use super::flag::{Flag, Group, Sets, flag, with_short};

/// Every flag, in the order of the help.
pub(super) const FLAGS: &[Flag] = &[
    with_short(
        'h',
        flag(Group::Mode, "help", "", Sets::Help, "print this help"),
    ),
    with_short(
        'V',
        flag(
            Group::Mode,
            "version",
            "",
            Sets::Version,
            "print the version",
        ),
    ),
    flag(
        Group::Mode,
        "list",
        "",
        Sets::List,
        "list the cases; with --format terse one `ID: benchmark` a line",
    ),
    flag(
        Group::Mode,
        "test",
        "",
        Sets::Test,
        "run each case once, in this process, without measuring; this is also what happens \
         without --bench, as under cargo test",
    ),
    flag(
        Group::Mode,
        "bench",
        "",
        Sets::Bench,
        "measure; cargo bench passes this",
    ),
    flag(
        Group::Mode,
        "profile-time",
        "T",
        Sets::ProfileTime,
        "run each case in this process for T without measuring, for a profiler to look at",
    ),
    flag(
        Group::Selection,
        "exact",
        "",
        Sets::Exact,
        "filters and --skip name whole ids instead of parts",
    ),
    flag(
        Group::Selection,
        "skip",
        "PATTERN",
        Sets::Skip,
        "leave out cases whose id contains PATTERN; may be repeated",
    ),
    flag(
        Group::Selection,
        "tag",
        "TAG",
        Sets::Tag,
        "only cases with this tag; repeated: with any of them",
    ),
    flag(
        Group::Selection,
        "ignored",
        "",
        Sets::Ignored,
        "only the cases that are marked to be ignored",
    ),
    flag(
        Group::Selection,
        "include-ignored",
        "",
        Sets::IncludeIgnored,
        "the ignored cases as well",
    ),
    flag(
        Group::Measuring,
        "launches",
        "N",
        Sets::Launches,
        "make N launches per case, each a fresh process, whatever they take [20 in 0.2s, 8 in 8s]",
    ),
    flag(
        Group::Measuring,
        "precision",
        "P",
        Sets::Precision,
        "go on for up to 80 launches until the interval's half-width is below P of the estimate, \
         such as 1%",
    ),
    flag(
        Group::Measuring,
        "min-time",
        "T",
        Sets::MinTime,
        "measure each case for at least T, all launches together, such as 500ms",
    ),
    flag(
        Group::Measuring,
        "max-time",
        "T",
        Sets::MaxTime,
        "measure each case for at most T, all launches together [0.2s; 8s for eight launches]",
    ),
    flag(
        Group::Measuring,
        "min-iterations",
        "N",
        Sets::MinIterations,
        "at least N iterations in each visit",
    ),
    flag(
        Group::Measuring,
        "timeout",
        "T",
        Sets::Timeout,
        "give up a visit that shows no sign of life for T [the larger of 30s and ten times its \
         first call]",
    ),
    flag(
        Group::Measuring,
        "against",
        "CASE",
        Sets::Against,
        "then compare the selected cases with this one, batch by batch in the same processes; a name \
         without arguments stands for each case that has the same arguments [the references of \
         the groups]",
    ),
    flag(
        Group::Measuring,
        "clock",
        "CLOCK",
        Sets::Clock,
        "what to measure: wall, or processor time: cpu, and its parts user and kernel [wall]",
    ),
    flag(
        Group::Measuring,
        "cpus",
        "LIST",
        Sets::Cpus,
        "pin what is measured to these processors, such as 2 or 0,2-3 [no pinning]",
    ),
    flag(
        Group::Measuring,
        "seed",
        "SEED",
        Sets::Seed,
        "draw everything that chance decides from this seed, in hexadecimal digits as the header \
         shows it, or 0d and decimal ones [a new one]",
    ),
    flag(
        Group::Output,
        "format",
        "FORMAT",
        Sets::Format,
        "text, or on stdout, with text on stderr: jsonl (one JSON object a line), csv, \
         csv-semicolon (with decimal commas), md (a Markdown table), gnuplot (a script with its \
         data); terse goes with --list and --test [text]",
    ),
    flag(
        Group::Output,
        "color",
        "WHEN",
        Sets::Color,
        "auto, always or never [auto]",
    ),
    with_short(
        'q',
        flag(
            Group::Output,
            "quiet",
            "",
            Sets::Quiet,
            "results and failures only",
        ),
    ),
    flag(
        Group::Output,
        "nocapture",
        "",
        Sets::NoCapture,
        "show what benchmarks print, on stderr while measuring",
    ),
    // The spelling that the built-in test harness has come to prefer.
    flag(Group::Output, "no-capture", "", Sets::NoCapture, "the same"),
    flag(
        Group::Output,
        "save",
        "NAME",
        Sets::Save,
        "keep the results under this name too, as a baseline",
    ),
    flag(
        Group::Output,
        "baseline",
        "NAME",
        Sets::Baseline,
        "show ratios to the results saved under this name, not to those of the last run",
    ),
    flag(
        Group::Output,
        "store",
        "DIR",
        Sets::Store,
        "keep the record of the run in this folder [tourbillon in the target folder]",
    ),
    flag(
        Group::Output,
        "no-store",
        "",
        Sets::NoStore,
        "keep no record",
    ),
    flag(
        Group::Accepted,
        "show-output",
        "",
        Sets::Nothing,
        "what failing cases print is always shown",
    ),
    flag(
        Group::Accepted,
        "test-threads",
        "N",
        Sets::Count,
        "one case runs at a time",
    ),
    flag(
        Group::Accepted,
        "report-time",
        "",
        Sets::Nothing,
        "test mode reads no clock",
    ),
    flag(
        Group::Accepted,
        "shuffle",
        "",
        Sets::Nothing,
        "visits are always shuffled",
    ),
    flag(
        Group::Accepted,
        "shuffle-seed",
        "N",
        Sets::Nothing,
        "see --seed",
    ),
    Flag {
        long: "",
        short: Some('Z'),
        group: Group::Accepted,
        value: "NAME",
        sets: Sets::Nothing,
        help: "as in -Z unstable-options",
    },
];

/// Their long names.
pub(super) const LONG: [&str; FLAGS.len()] = {
    let mut names = [""; FLAGS.len()];
    let mut at = 0;
    while at < FLAGS.len() {
        names[at] = FLAGS[at].long;
        at += 1;
    }
    names
};

#[cfg(test)]
mod tests {
    use super::FLAGS;

    #[test]
    fn names_are_unique_and_every_flag_has_one_and_a_help() {
        for (index, flag) in FLAGS.iter().enumerate() {
            assert!(!flag.long.is_empty() || flag.short.is_some());
            assert!(
                !flag.help.is_empty() && !flag.help.ends_with('.'),
                "{}",
                flag.help
            );
            for other in &FLAGS[index + 1..] {
                assert!(
                    flag.long.is_empty() || flag.long != other.long,
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
            let name = flag.value;
            assert!(name.chars().all(|c| c.is_ascii_uppercase()), "{name}");
        }
    }
}
