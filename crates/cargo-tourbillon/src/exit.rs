//! Exit codes and output.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use tourbillon_record::store;
use tourbillon_report::{escape_commands, escape_lines, escape_page};

/// A mistake on the command line.
pub(crate) const USAGE: u8 = 1;
/// `compare`: a case is slower or allocates more than the gate allows.
pub(crate) const GATE: u8 = 2;
/// A case failed.
pub(crate) const FAILED: u8 = tourbillon_runner::EXIT_FAILED;
/// `run`: nothing was selected.
pub(crate) const NOTHING: u8 = 4;
/// This machine or a file does not allow it; `doctor`: a finding that matters.
pub(crate) const ENVIRONMENT: u8 = 5;
/// A program panicked outside of its cases, or cargo cannot build.
pub(crate) const PANICKED: u8 = 101;
/// Interrupted.
pub(crate) const INTERRUPTED: u8 = tourbillon_runner::EXIT_INTERRUPTED;

/// Why the program ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The text was requested, such as a help text: 0.
    Answered(String),
    /// A mistake on the command line: 1. The text names it and the remedy.
    Usage(String),
    /// This machine or a file does not allow it: 5.
    Environment(String),
    /// A program failed with this code, and this is to be added to its message.
    Failed(u8, String),
    /// The exit code of a program that has printed the reason itself.
    Code(u8),
}

impl From<tourbillon_builds::Error> for Stop {
    fn from(error: tourbillon_builds::Error) -> Stop {
        use tourbillon_builds::Error;
        match error {
            Error::Usage(text) | Error::NoBenchmarks(text) => Stop::Usage(text),
            Error::Environment(text) => Stop::Environment(text),
            Error::Cargo(code, text) if text.is_empty() => Stop::Code(code),
            Error::Cargo(code, text) => Stop::Failed(code, text),
        }
    }
}

impl From<store::Error> for Stop {
    fn from(error: store::Error) -> Stop {
        Stop::Environment(error.to_string())
    }
}

impl From<tourbillon_index::Error> for Stop {
    fn from(error: tourbillon_index::Error) -> Stop {
        Stop::Environment(error.to_string())
    }
}

/// Prints why the program ends and gives the exit code.
pub(crate) fn report(stop: Stop) -> ExitCode {
    let (code, text) = match stop {
        Stop::Answered(text) => match print(&text) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(stop) => return report(stop),
        },
        Stop::Usage(text) => (USAGE, text),
        Stop::Environment(text) => (ENVIRONMENT, text),
        Stop::Failed(code, text) => (code, text),
        Stop::Code(code) => return ExitCode::from(code),
    };
    // Messages quote names, files and the stderr of programs.
    say(&format!("error: {text}\n"));
    ExitCode::from(code)
}

/// Writes lines to stderr; errors are ignored. They may quote records, branches and programs: what would move, hide or
/// recolour other text is [escaped](escape_lines).
pub(crate) fn say(text: &str) {
    draw(&escape_commands(escape_lines(text, true)));
}

/// Writes to stderr as it is: what redraws a line, with nothing from outside.
pub(crate) fn draw(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes text to stdout; like [`say`], except the colours of the page.
pub(crate) fn print(text: &str) -> Result<(), Stop> {
    put(&escape_commands(escape_page(text)))
}

/// Writes a format for programs to stdout as it is, and to a terminal [escaped](escape_lines).
pub(crate) fn print_data(text: &str) -> Result<(), Stop> {
    if io::stdout().is_terminal() {
        return put(&escape_lines(text, true));
    }
    put(text)
}

/// Writes text to stdout. A closed pipe, such as to `head`, is no error: the exit code reports the result.
fn put(text: &str) -> Result<(), Stop> {
    printed(tourbillon_os::print(text))
}

fn printed(written: io::Result<()>) -> Result<(), Stop> {
    match written {
        // The reader does not read, and a signal has asked this program to end.
        Err(error) if error.kind() == io::ErrorKind::TimedOut => Err(Stop::Code(INTERRUPTED)),
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Stop::Environment(format!(
            "stdout cannot be written: {error}"
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            USAGE,
            GATE,
            FAILED,
            NOTHING,
            ENVIRONMENT,
            PANICKED,
            INTERRUPTED,
        ];
        let help = crate::AFTER.split_once("Exit codes:");
        let words = help.expect("the help names them").1.split(' ');
        let in_help: Vec<u8> = words.filter_map(|word| word.trim().parse().ok()).collect();
        assert_eq!(in_help, codes);
        assert_eq!(table(include_str!("../README.md"), "| exit code "), codes);
        let page = include_str!("../../../docs/reference/exit-codes.md");
        assert_eq!(table(page, "| exit code "), codes);
    }

    #[test]
    fn a_closed_pipe_does_not_hide_the_exit_code() {
        assert!(printed(Err(io::ErrorKind::BrokenPipe.into())).is_ok());
        assert!(printed(Err(io::ErrorKind::StorageFull.into())).is_err());
    }
}
