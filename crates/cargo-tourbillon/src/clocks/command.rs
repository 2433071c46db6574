//! The flags of `clocks`.

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, value_parser};

use crate::screen::{self, Color};

const ABOUT: &str = "What every time source of this machine counts, costs and is worth";

const LONG_ABOUT: &str = "\
What every time source of this machine counts, costs and is worth: one row
for each, with its nominal tick, the step by which it really advances, the
resolution that can be observed, what a reading and a start with a stop cost,
what stands behind it, and whether it is safe to use. Sources that this
machine does not have are listed with the reason.

Given files, it reads what `--format json` has written, on this machine or on
others, and puts the machines side by side.";

const AFTER: &str = "\
Examples:
  cargo tourbillon clocks
  cargo tourbillon clocks --format json > here.json
  cargo tourbillon clocks here.json there.json
  cargo tourbillon clocks --source monotonic --deltas";

/// What `clocks` is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) task: Task,
    /// Names of sources; all where there are none.
    pub(super) sources: Vec<String>,
    pub(super) json: bool,
    pub(super) color: Color,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Table,
    Compare { files: Vec<String> },
    Deltas { reads: u64, pairs: u64 },
    Isolation,
    Cores,
    WinStl,
}

pub(crate) fn command() -> Command {
    Command::new("clocks")
        .about(ABOUT)
        .long_about(LONG_ABOUT)
        .after_help(AFTER)
        .arg(
            Arg::new("files")
                .value_name("FILE")
                .help("Reports to put side by side, from --format json")
                .action(ArgAction::Append)
                .conflicts_with_all(["source", "task"]),
        )
        .arg(
            Arg::new("source")
                .long("source")
                .value_name("NAME")
                .help("This source only; may be given several times")
                .action(ArgAction::Append),
        )
        .arg(
            flag("deltas")
                .requires("source")
                .help("How far sequential readings of the source are apart")
                .long_help(
                    "How far sequential readings of the source are apart: a table, a\n\
                     picture, the longest of many empty pairs, and how often and for\n\
                     how long this machine interrupts a program",
                ),
        )
        .arg(
            number("reads", "1000000")
                .requires("deltas")
                .help("Sequential readings for --deltas"),
        )
        .arg(
            number("pairs", "10000000")
                .requires("deltas")
                .help("Empty pairs for --deltas"),
        )
        .arg(
            flag("isolation")
                .help("Which sources another process disturbs")
                .long_help(
                    "Which sources another process disturbs: the same work alone and\n\
                     beside a second process that loads the processor",
                ),
        )
        .arg(
            flag("cores")
                .conflicts_with("source")
                .help("Whether the counters of the processors agree")
                .long_help(
                    "Whether the counters of the processors agree: the interval in\n\
                     which the offset of each pair lies, and whether time ever ran\n\
                     backwards, from one to the other or among all at once",
                ),
        )
        .arg(
            flag("winstl")
                .conflicts_with("source")
                .help("Which sources stand for the classes of WinSTL")
                .long_help(
                    "Which sources stand for the classes of WinSTL on Linux, macOS and\n\
                     Windows, and which of them this machine has",
                ),
        )
        .group(ArgGroup::new("task").args(["deltas", "isolation", "cores", "winstl"]))
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORM")
                .help("Form of what is printed: text or json")
                .hide_possible_values(true)
                .value_parser(["text", "json"])
                .default_value("text"),
        )
        .arg(screen::argument())
}

fn flag(name: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue)
}

fn number(name: &'static str, usual: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N")
        .value_parser(value_parser!(u64).range(1..=1_000_000_000))
        .default_value(usual)
}

/// What was typed.
pub(super) fn wish(matches: &ArgMatches) -> Wish {
    let texts = |name: &str| -> Vec<String> {
        let values = matches.get_many::<String>(name).into_iter().flatten();
        values.cloned().collect()
    };
    let count = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let files = texts("files");
    let task = if !files.is_empty() {
        Task::Compare { files }
    } else if matches.get_flag("deltas") {
        Task::Deltas {
            reads: count("reads"),
            pairs: count("pairs"),
        }
    } else if matches.get_flag("isolation") {
        Task::Isolation
    } else if matches.get_flag("cores") {
        Task::Cores
    } else if matches.get_flag("winstl") {
        Task::WinStl
    } else {
        Task::Table
    };
    Wish {
        task,
        sources: texts("source"),
        json: matches
            .get_one::<String>("format")
            .is_some_and(|form| form == "json"),
        color: screen::color(matches),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(arguments: &[&str]) -> Result<Wish, String> {
        let arguments = std::iter::once(&"clocks").chain(arguments);
        let matches = command().try_get_matches_from(arguments);
        matches
            .map(|matches| wish(&matches))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn tasks() {
        let task = |arguments: &[&str]| typed(arguments).unwrap().task;
        assert_eq!(task(&[]), Task::Table);
        assert_eq!(task(&["--isolation"]), Task::Isolation);
        assert_eq!(task(&["--cores"]), Task::Cores);
        let files = vec!["a.json".to_owned(), "b.json".to_owned()];
        assert_eq!(task(&["a.json", "b.json"]), Task::Compare { files });
        let (reads, pairs) = (1_000_000, 10_000_000);
        assert_eq!(
            task(&["--deltas", "--source", "rdtsc"]),
            Task::Deltas { reads, pairs }
        );
        assert_eq!(
            task(&["--source", "rdtsc", "--deltas", "--reads", "5", "--pairs=6"]),
            Task::Deltas { reads: 5, pairs: 6 }
        );
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for arguments in [
            ["--deltas"].as_slice(),
            &["--reads", "5"],
            &["--deltas", "--isolation", "--source", "rdtsc"],
            &["--cores", "--source", "rdtsc"],
            &["a.json", "--source", "rdtsc"],
            &["a.json", "--isolation"],
            &["--format", "xml"],
            &["--deltas", "--source", "rdtsc", "--pairs", "0"],
        ] {
            assert!(typed(arguments).is_err(), "{arguments:?}");
        }
    }

    #[test]
    fn form_and_colour() {
        let wish = typed(&[
            "--format=json",
            "--color=never",
            "--source",
            "a",
            "--source",
            "b",
        ])
        .unwrap();
        assert!(wish.json);
        assert_eq!(wish.color, Color::Never);
        assert_eq!(wish.sources, ["a", "b"]);
        assert_eq!(typed(&[]).unwrap().color, Color::Auto);
    }
}
