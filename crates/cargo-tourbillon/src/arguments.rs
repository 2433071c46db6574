//! The command line.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command};

use crate::exit::Stop;
use crate::{baselines, clocks, compare, doctor, explain, report, run, save, show};

/// Name under which cargo starts a subcommand: it passes it as the first argument.
const SUBCOMMAND: &str = "tourbillon";

const ABOUT: &str = "What Tourbillon's benchmarks need beside themselves";

pub(crate) const AFTER: &str = "\
Benchmarks need no tool: `cargo bench` runs them, too.

Exit codes: 0 fine, 1 a mistake on the command line, 2 the gate of a comparison
is closed, 3 a case failed, 4 nothing was selected, 5 something that this
machine or a file does not allow, 101 cargo cannot build, or a program
panicked outside of its cases, 130 interrupted.";

/// The grammar of the command line.
fn command() -> Command {
    Command::new("cargo tourbillon")
        .bin_name("cargo tourbillon")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .after_help(AFTER)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(run::command())
        .subcommand(compare::command())
        .subcommand(save::command())
        .subcommand(show::command())
        .subcommand(report::command())
        .subcommand(explain::command())
        .subcommand(baselines::command())
        .subcommand(clocks::command())
        .subcommand(doctor::command())
        .subcommand(Command::new(clocks::RIVAL).hide(true))
}

/// What was typed, whether cargo or a person started this program.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<ArgMatches, Stop> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|first| first == SUBCOMMAND) {
        arguments.remove(1);
    }
    command().try_get_matches_from(arguments).map_err(stop)
}

/// Help that was asked for is no mistake; help in place of a missing subcommand is one.
fn stop(error: clap::Error) -> Stop {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Stop::Answered(text),
        _ => Stop::Usage(text.trim_start_matches("error: ").trim_end().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<ArgMatches, Stop> {
        parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn the_grammar_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn cargo_passes_its_subcommand_and_people_do_not() {
        for arguments in [
            ["cargo-tourbillon", "clocks"].as_slice(),
            &["cargo-tourbillon", "tourbillon", "clocks"],
        ] {
            let matches = parsed(arguments).unwrap();
            assert_eq!(matches.subcommand_name(), Some("clocks"), "{arguments:?}");
        }
        assert!(parsed(&["cargo-tourbillon", "tourbillon", "tourbillon", "clocks"]).is_err());
    }

    #[test]
    fn help_is_an_answer_and_nothing_is_a_mistake() {
        for asked in [["x", "--help"], ["x", "--version"]] {
            assert!(matches!(parsed(&asked), Err(Stop::Answered(_))));
        }
        assert!(matches!(parsed(&["x"]), Err(Stop::Usage(_))));
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
    fn help_fits_a_terminal() {
        let mut command = command();
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
}
