//! Exit codes and output.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use tourbillon_coordinator::output::say_error;
use tourbillon_os::Signals;
use tourbillon_pictures::results_page;
use tourbillon_present::{Document, Format, Kind};
use tourbillon_record::store;
use tourbillon_report::{Style, escape_commands, escape_json, escape_lines, escape_page};

/// A mistake on the command line.
pub const USAGE: u8 = 1;
/// `compare`: a case is slower or allocates more than the gate allows; `attempt`: nothing is gained.
pub const GATE: u8 = 2;
/// A case failed.
pub const FAILED: u8 = tourbillon_coordinator::runner::EXIT_FAILED;
/// Nothing was selected.
pub const NOTHING: u8 = 4;
/// This machine or a file does not allow it; `doctor`: a finding that matters.
pub const ENVIRONMENT: u8 = 5;
/// `attempt`: nothing is decided.
pub const UNDECIDED: u8 = 6;
/// A program panicked outside of its cases, or cargo cannot build.
pub const PANICKED: u8 = 101;
/// Interrupted.
pub const INTERRUPTED: u8 = tourbillon_coordinator::runner::EXIT_INTERRUPTED;

/// Why the program ends early.
#[derive(Debug)]
pub enum Stop {
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
            // It ends what is built.
            _ if Signals::first().is_some() => Stop::Code(INTERRUPTED),
            Error::Environment(text) | Error::Ended(text) => Stop::Environment(text),
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

impl Stop {
    /// The exit code, and what is to be printed; empty where the program that failed has printed it.
    pub fn into_parts(self) -> (u8, String) {
        match self {
            Stop::Answered(text) => (0, text),
            Stop::Usage(text) => (USAGE, text),
            Stop::Environment(text) => (ENVIRONMENT, text),
            Stop::Failed(code, text) => (code, text),
            Stop::Code(code) => (code, String::new()),
        }
    }
}

/// Prints why the program ends and gives the exit code.
pub fn report(stop: Stop) -> ExitCode {
    if let Stop::Answered(text) = &stop {
        return match print(text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(stop) => report(stop),
        };
    }
    let has_printed = matches!(stop, Stop::Code(_));
    let (code, text) = stop.into_parts();
    if !has_printed {
        // Messages quote names, files and the stderr of programs.
        say_error(&text);
    }
    ExitCode::from(code)
}

/// Writes lines to stderr; errors are ignored. They may quote records, branches and programs: what would move, hide or
/// recolour other text is [escaped](escape_lines).
pub fn say(text: &str) {
    draw(&escape_commands(escape_lines(text, true)));
}

/// Writes to stderr as it is: what redraws a line, with nothing from outside.
pub fn draw(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes text without colours to stdout; like [`say`].
pub fn print(text: &str) -> Result<(), Stop> {
    put(&escape_commands(escape_lines(text, true)))
}

/// Writes a page to stdout, whose colours stay: what it quotes is escaped already.
pub fn print_page(page: &str) -> Result<(), Stop> {
    put(&escape_commands(escape_page(page)))
}

/// Writes a format for programs to stdout: to a file as it is, to a terminal [escaped](escape_lines), and otherwise, where
/// it may be the log of a job, without [commands](escape_commands).
pub fn print_data(text: &str) -> Result<(), Stop> {
    if io::stdout().is_terminal() {
        return put(&escape_lines(text, true));
    }
    if is_file() {
        return put(text);
    }
    put(&escape_commands(text.to_owned()))
}

/// Writes [JSON](escape_json) to stdout.
pub fn print_json(json: String) -> Result<(), Stop> {
    put(&escape_json(json))
}

/// Like [`print_json`], for a program that goes on until its reader has enough.
///
/// # Errors
///
/// When stdout cannot be written, or its reader has gone, which is a success.
pub fn print_event(lines: String) -> Result<(), Stop> {
    put_for_reader(&escape_json(lines))
}

/// Whether stdout is a regular file.
#[cfg(unix)]
fn is_file() -> bool {
    use std::os::fd::AsFd;
    let stdout = io::stdout().as_fd().try_clone_to_owned();
    let about = stdout.and_then(|stdout| File::from(stdout).metadata());
    about.is_ok_and(|about| about.is_file())
}

/// Whether stdout is a regular file.
#[cfg(windows)]
fn is_file() -> bool {
    use std::os::windows::io::AsHandle;
    let stdout = io::stdout().as_handle().try_clone_to_owned();
    let about = stdout.and_then(|stdout| File::from(stdout).metadata());
    about.is_ok_and(|about| about.is_file())
}

/// Like [`print_page`], for a program that goes on until its reader has enough.
///
/// # Errors
///
/// As [`print_event`].
pub fn print_next_page(page: &str) -> Result<(), Stop> {
    put_for_reader(&escape_commands(escape_page(page)))
}

fn put_for_reader(text: &str) -> Result<(), Stop> {
    match tourbillon_os::print(text) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Stop::Code(0)),
        written => printed(written),
    }
}

/// Erases what a terminal shows on stdout.
pub fn erase_screen() {
    let _ = tourbillon_os::print("\x1b[2J\x1b[H");
}

/// Prints a document in a format. `kind` and `version` are those of its JSON; `lines` are its results as lines of JSON.
///
/// # Errors
///
/// When stdout cannot be written.
pub fn print_document(
    document: &Document,
    format: Format,
    kind: &Kind,
    style: &Style,
    lines: impl FnOnce() -> String,
) -> Result<(), Stop> {
    let text = match format {
        Format::Text => document.text(style),
        Format::Md => document.markdown(),
        Format::Csv => document.csv(),
        Format::Json => document.json(kind),
        Format::Html => results_page(document, kind),
        Format::Jsonl => return print_json(lines()),
    };
    if format.is_for_people() {
        print_page(&text)
    } else {
        print_data(&text)
    }
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

    #[test]
    fn a_closed_pipe_does_not_hide_the_exit_code() {
        assert!(printed(Err(io::ErrorKind::BrokenPipe.into())).is_ok());
        assert!(printed(Err(io::ErrorKind::StorageFull.into())).is_err());
    }
}
