//! How the program ends.

use std::io::{self, Write};
use std::process::ExitCode;

pub(crate) use tourbillon_builds::{CARGO, Stop, say};

/// A mistake on the command line.
pub(crate) const USAGE: u8 = 1;
/// `compare`: a case is slower, or asks for more memory, than the gate allows.
pub(crate) const GATE: u8 = 2;
/// A case failed.
pub(crate) const FAILED: u8 = tourbillon_runner::EXIT_FAILED;
/// `run`: nothing was selected.
pub(crate) const NOTHING: u8 = 4;
/// Something that this machine or a file does not allow; `doctor`: something that matters.
pub(crate) const ENVIRONMENT: u8 = 5;
/// Interrupted.
pub(crate) const INTERRUPTED: u8 = tourbillon_runner::EXIT_INTERRUPTED;

/// Prints on the right stream what there is to print, and gives the code.
pub(crate) fn report(stop: Stop) -> ExitCode {
    match stop {
        Stop::Answered(text) => match print(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(stop) => report(stop),
        },
        Stop::Usage(text) => failed(&text, USAGE),
        Stop::Environment(text) => failed(&text, ENVIRONMENT),
        Stop::Code(code) => ExitCode::from(code),
    }
}

fn failed(text: &str, code: u8) -> ExitCode {
    say(&format!("error: {text}\n"));
    ExitCode::from(code)
}

/// Writes to stdout. When its reader has gone, as `head` does, the text is dropped: the exit code says
/// what was found, not who reads the text.
pub(crate) fn print(text: &str) -> Result<(), Stop> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    printed(written.and_then(|()| stdout.flush()))
}

fn printed(written: io::Result<()>) -> Result<(), Stop> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Stop::Environment(format!(
            "stdout cannot be written: {error}"
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first cells of the table whose heading begins so, as far as they are numbers.
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
            CARGO,
            INTERRUPTED,
        ];
        let help = crate::arguments::AFTER.split_once("Exit codes:");
        let words = help.expect("the help names them").1.split(' ');
        let said: Vec<u8> = words.filter_map(|word| word.trim().parse().ok()).collect();
        assert_eq!(said, codes);
        assert_eq!(table(include_str!("../README.md"), "| exit code "), codes);
        let page = include_str!("../../../docs/reference/exit-codes.md");
        assert_eq!(table(page, "| exit code "), codes);
    }

    #[test]
    fn a_reader_that_has_gone_does_not_hide_the_exit_code() {
        assert!(printed(Err(io::ErrorKind::BrokenPipe.into())).is_ok());
        assert!(printed(Err(io::ErrorKind::StorageFull.into())).is_err());
    }
}
