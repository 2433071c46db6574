//! `cargo tourbillon` runs, compares and inspects Tourbillon benchmarks; `tourbillon` does what needs no cargo.
//!
//! This library holds both programs. It has no API of its own.
//!
//! One module per subcommand. A subcommand prints one text on stdout, made by functions that turn data
//! into text; messages and progress go to stderr.
//!
//! Invariant: only `tourbillon-clock` reads clocks.

#![forbid(unsafe_code)]
#![warn(clippy::match_bool)]

#[cfg(test)]
mod allocations;
mod alone;
mod attempt;
mod baselines;
mod bench_flags;
mod build_flags;
mod bundle;
mod cache;
mod ci;
mod ci_words;
mod clocks;
mod commands;
mod compare;
mod config;
mod doctor;
mod elsewhere;
mod ending;
mod explain;
mod export;
mod history;
#[doc(hidden)]
pub mod hostile;
mod hyperfine_flags;
mod init;
mod merge;
mod output_flags;
mod plan;
mod profile;
mod report;
mod rounds_by_case;
mod run;
mod save;
mod show;
mod store_flags;
mod watch;
mod why;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tourbillon_os::{Signals, refuse_large_files};

use tourbillon_tool::{
    config_file, exit, output, program_output, record_file, records, screen, store,
};

use self::ending::ended;
use self::exit::Stop;

/// Name under which cargo starts a subcommand: it passes it as the first argument.
const SUBCOMMAND: &str = "tourbillon";

const AFTER: &str = "\
`cargo bench` runs benchmarks, too; this tool is optional.
Exit codes: 0 success, 1 mistake on the command line, 2 the gate failed, 3 a case failed, 4 nothing was \
selected, 5 this machine or a file does not allow it, 6 undecided, 101 cargo cannot build or a program \
panicked, 130 interrupted.";

const AFTER_ALONE: &str = "\
`cargo tourbillon` has the same subcommands, and those for benchmarks of Rust code.

Exit codes: 0 success, 1 mistake on the command line, 3 a command failed, 5 this machine or a file does \
not allow it, 130 interrupted.";

/// Run, compare and inspect Tourbillon benchmarks
#[derive(Debug, Parser)]
#[command(
    name = "cargo tourbillon",
    bin_name = "cargo tourbillon",
    version,
    after_help = AFTER,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    hide_possible_values = true,
    max_term_width = 80
)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    Init(init::Arguments),
    Run(run::Arguments),
    Plan(plan::Arguments),
    Merge(merge::Arguments),
    Compare(Box<compare::Arguments>),
    Watch(Box<watch::Arguments>),
    Attempt(Box<attempt::Arguments>),
    Ci(Box<ci::Arguments>),
    Why(why::Arguments),
    Profile(profile::Arguments),
    Commands(Box<commands::Arguments>),
    Bundle(bundle::Arguments),
    Save(save::Arguments),
    Config(config::Arguments),
    Show(show::Arguments),
    Report(report::Arguments),
    Explain(explain::Arguments),
    Export(export::Arguments),
    History(history::Arguments),
    Baselines(baselines::Arguments),
    Cache(cache::Arguments),
    Clocks(clocks::Arguments),
    Doctor(doctor::Arguments),
    /// The second process of `clocks --isolation`
    #[command(hide = true)]
    ClocksRival,
}

/// The subcommands by what they are for, as the help lists them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Measure", &["init", "run", "watch", "commands"]),
    (
        "Compare",
        &[
            "compare", "attempt", "ci", "why", "save", "bundle", "plan", "merge",
        ],
    ),
    ("Look", &["show", "report", "explain", "profile", "export"]),
    ("Keep", &["history", "baselines", "cache", "config"]),
    ("This machine", &["clocks", "doctor"]),
];

/// The command line of `cargo tourbillon`, whose help has the subcommands in groups.
fn command() -> clap::Command {
    let command = Arguments::command();
    let about = |name: &str| {
        let found = command
            .find_subcommand(name)
            .and_then(clap::Command::get_about);
        found.map(ToString::to_string).unwrap_or_default()
    };
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        groups += &format!("{heading}:\n");
        for name in names {
            groups += &format!("  {name:<9}  {}\n", about(name));
        }
        groups.push('\n');
    }
    let template = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

/// Measure commands, and show records
#[derive(Debug, Parser)]
#[command(
    name = "tourbillon",
    version,
    after_help = AFTER_ALONE,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    hide_possible_values = true,
    max_term_width = 80
)]
struct AloneArguments {
    #[command(subcommand)]
    task: AloneTask,
}

/// What needs no cargo.
#[derive(Debug, Subcommand)]
enum AloneTask {
    Commands(Box<commands::Arguments>),
    Show(show::Arguments),
    Report(report::Arguments),
    Explain(explain::Arguments),
    Clocks(clocks::Arguments),
    Doctor(doctor::Arguments),
    /// The second process of `clocks --isolation`
    #[command(hide = true)]
    ClocksRival,
}

/// Ends the program with 130 by a signal, until something has to be put back first.
fn end_with_130() {
    // Where handlers cannot be installed, the system's own action ends it.
    if Signals::install().is_ok() {
        Signals::end_at_once();
    }
}

/// The program that cargo starts as `cargo tourbillon`; gives its exit code.
pub fn cargo_tourbillon() -> ExitCode {
    if let Some(ended) = tourbillon_builds::wrapped() {
        let not_started = |error| format!("the compiler cannot be started: {error}");
        return ended.unwrap_or_else(|error| exit::report(Stop::Environment(not_started(error))));
    }
    refuse_large_files();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let launched = tourbillon_commands::launched(&arguments);
    if let Some(code) = launched.or_else(|| tourbillon_stepper::answer(&arguments)) {
        return code;
    }
    end_with_130();
    ended(|| parse(arguments).and_then(|arguments| run_task(arguments.task)))
}

/// The program `tourbillon`; gives its exit code.
pub fn tourbillon() -> ExitCode {
    refuse_large_files();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = tourbillon_commands::launched(&arguments) {
        return code;
    }
    end_with_130();
    alone::note();
    let matches = alone::named(AloneArguments::command()).try_get_matches_from(arguments);
    let parsed = matches.and_then(|matches| {
        if let Some((_, matches)) = matches.subcommand() {
            config::flag(matches).note();
        }
        AloneArguments::from_arg_matches(&matches)
    });
    ended(|| {
        let arguments = parsed.map_err(stop)?;
        run_alone(arguments.task)
    })
}

fn run_task(task: Task) -> Result<(), Stop> {
    match task {
        Task::Init(arguments) => init::run(&arguments),
        Task::Run(arguments) => run::run(&arguments),
        Task::Plan(arguments) => plan::run(&arguments),
        Task::Merge(arguments) => merge::run(arguments),
        Task::Compare(arguments) => compare::run(*arguments),
        Task::Watch(arguments) => watch::run(*arguments),
        Task::Attempt(arguments) => attempt::run(*arguments),
        Task::Ci(arguments) => ci::run(*arguments),
        Task::Why(arguments) => why::run(arguments),
        Task::Profile(arguments) => profile::run(arguments),
        Task::Commands(arguments) => commands::run(&arguments),
        Task::Bundle(arguments) => bundle::run(&arguments),
        Task::Save(arguments) => save::run(&arguments),
        Task::Config(arguments) => {
            config::of_subcommands(&run::config_of(&arguments.typed)?)?;
            run::show_config(arguments.typed)
        }
        Task::Show(arguments) => show::run(&arguments),
        Task::Report(arguments) => report::run(&arguments),
        Task::Explain(arguments) => explain::run(&arguments),
        Task::Export(arguments) => export::run(&arguments),
        Task::History(arguments) => history::run(arguments),
        Task::Baselines(arguments) => baselines::run(&arguments),
        Task::Cache(arguments) => cache::run(&arguments),
        Task::Clocks(arguments) => clocks::run(&arguments),
        Task::Doctor(arguments) => doctor::run(&arguments),
        Task::ClocksRival => clocks::run_rival(),
    }
}

/// Without a name of a record, the newest record of commands is meant.
fn run_alone(task: AloneTask) -> Result<(), Stop> {
    match task {
        AloneTask::Commands(arguments) => commands::run(&arguments),
        AloneTask::Show(arguments) => show::run(&arguments.of_commands()?),
        AloneTask::Report(arguments) => report::run(&arguments.of_commands()?),
        AloneTask::Explain(arguments) => explain::run(&arguments.of_commands()?),
        AloneTask::Clocks(arguments) => clocks::run(&arguments),
        AloneTask::Doctor(arguments) => doctor::run(&arguments),
        AloneTask::ClocksRival => clocks::run_rival(),
    }
}

/// Parses the arguments, with or without the name that cargo passes first.
fn parse(typed: impl IntoIterator<Item = OsString>) -> Result<Arguments, Stop> {
    let mut words: Vec<OsString> = typed.into_iter().collect();
    if words.get(1).is_some_and(|first| first == SUBCOMMAND) {
        words.remove(1);
    }
    let arguments = ci_words::expanded(words)?;
    let arguments = config::with_defaults(command(), arguments)?;
    let matches = command().try_get_matches_from(arguments).map_err(stop)?;
    let mut parsed = Arguments::from_arg_matches(&matches).map_err(stop)?;
    if let (Task::Compare(compare), Some((_, typed))) = (&mut parsed.task, matches.subcommand()) {
        compare.note(typed);
    }
    Ok(parsed)
}

/// Requested help is no mistake; help instead of a missing subcommand is one.
fn stop(error: clap::Error) -> Stop {
    if let Some(hint) = bench_flags::hint_for(&error).or_else(|| hyperfine_flags::hint_for(&error))
    {
        return Stop::Usage(hint);
    }
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Stop::Answered(text),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            exit::say(&text);
            Stop::Code(exit::USAGE)
        }
        _ => Stop::Usage(text.trim_start_matches("error: ").trim_end().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    mod options;

    use super::*;

    #[test]
    fn a_filter_that_is_typed_as_a_flag_has_its_place() {
        let typed = [
            "cargo-tourbillon",
            "tourbillon",
            "compare",
            "main",
            "--filter=sort",
        ];
        let Err(Stop::Usage(hint)) = parse(typed.map(OsString::from)).map(drop) else {
            panic!("no mistake");
        };
        assert!(hint.contains("words after -- select cases"), "{hint}");
    }

    #[test]
    fn a_command_in_place_of_a_subcommand_has_the_line_that_measures_it() {
        let typed = ["tourbillon", "sort numbers"];
        let error = AloneArguments::command().try_get_matches_from(typed);
        let Err(Stop::Usage(hint)) = error.map_err(stop) else {
            panic!("no mistake");
        };
        assert!(
            hint.ends_with("; to measure it: tourbillon commands 'sort numbers'"),
            "{hint}"
        );
    }

    #[test]
    fn help_in_place_of_a_missing_subcommand_is_no_error_message() {
        let Err(Stop::Code(code)) = parsed(&["cargo-tourbillon"]) else {
            panic!("no mistake");
        };
        assert_eq!(code, exit::USAGE);
    }

    fn parsed(arguments: &[&str]) -> Result<Arguments, Stop> {
        parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn the_grammar_is_sound() {
        Arguments::command().debug_assert();
        AloneArguments::command().debug_assert();
    }

    #[test]
    fn the_help_lists_every_subcommand_once_on_one_screen() {
        let mut command = command();
        let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
        let mut names: Vec<String> = shown.map(|one| one.get_name().to_owned()).collect();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        names.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, names);
        let help = command.render_help().to_string();
        assert!(help.lines().count() <= 45, "{help}");
        assert!(help.lines().all(|line| line.len() <= 80), "{help}");
        assert!(
            help.contains("\nCompare:\n  compare    Compare two revisions"),
            "{help}"
        );
        assert!(help.contains("\nExit codes: 0 success"), "{help}");
    }

    #[test]
    fn the_name_from_cargo_is_skipped_once() {
        for arguments in [
            ["cargo-tourbillon", "clocks"].as_slice(),
            &["cargo-tourbillon", "tourbillon", "clocks"],
        ] {
            let parsed = parsed(arguments).unwrap();
            assert!(matches!(parsed.task, Task::Clocks(_)), "{arguments:?}");
        }
        assert!(parsed(&["cargo-tourbillon", "tourbillon", "tourbillon", "clocks"]).is_err());
    }

    #[test]
    fn help_is_an_answer_and_nothing_is_a_mistake() {
        for requested in [["x", "--help"], ["x", "--version"]] {
            assert!(matches!(parsed(&requested), Err(Stop::Answered(_))));
        }
        assert!(matches!(parsed(&["x"]), Err(Stop::Code(exit::USAGE))));
    }

    #[test]
    fn a_mistyped_subcommand_gets_a_suggestion() {
        let Err(Stop::Usage(text)) = parsed(&["x", "clock"]) else {
            panic!("`clock` is not a subcommand");
        };
        assert!(text.contains("'clocks'"), "{text}");
        assert!(!text.starts_with("error"), "{text}");
    }

    #[test]
    fn flags_of_other_harnesses_get_a_hint() {
        let Err(Stop::Usage(text)) = parsed(&["x", "compare", "main", "--sample-size", "10"])
        else {
            panic!("it is not ours");
        };
        assert!(
            text.starts_with("--sample-size is criterion's and divan's; here: "),
            "{text}"
        );
    }

    #[test]
    fn help_fits_a_terminal() {
        let mut command = Arguments::command();
        command.build();
        let mut texts = vec![command.render_long_help().to_string()];
        for subcommand in command.get_subcommands_mut() {
            texts.push(subcommand.render_long_help().to_string());
            texts.push(subcommand.render_help().to_string());
        }
        for line in texts.iter().flat_map(|text| text.lines()) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    /// The first cells of the table with this heading, as far as they are numbers.
    fn table(text: &str, heading: &str) -> Vec<u8> {
        let rows = text
            .lines()
            .skip_while(|line| !line.starts_with(heading))
            .take_while(|line| line.starts_with('|'));
        rows.filter_map(|row| row.split('|').nth(1)?.trim().parse().ok())
            .collect()
    }

    #[test]
    fn the_codes_are_those_in_the_help_and_in_the_pages() {
        let codes = [
            0,
            exit::USAGE,
            exit::GATE,
            exit::FAILED,
            exit::NOTHING,
            exit::ENVIRONMENT,
            exit::UNDECIDED,
            exit::PANICKED,
            exit::INTERRUPTED,
        ];
        let help = AFTER.split_once("Exit codes:");
        let words = help.expect("the help names them").1.split(' ');
        let in_help: Vec<u8> = words.filter_map(|word| word.trim().parse().ok()).collect();
        assert_eq!(in_help, codes);
        assert_eq!(table(include_str!("../README.md"), "| exit code "), codes);
        let page = include_str!("../../../docs/reference/exit-codes.md");
        assert_eq!(table(page, "| exit code "), codes);
    }
}
