//! How the program ends.

use std::io::{self, Write};
use std::process::ExitCode;

/// Why the program ends before its work is done, or without any.
///
/// The codes are those of the bench binaries: 2 to 4 are theirs, for what only a measurement can
/// find.
#[derive(Debug)]
pub(crate) enum Stop {
    /// What was asked for is a text of the program itself: 0.
    Answered(String),
    /// A mistake on the command line: 1. The text says which, and what would be right.
    Usage(String),
    /// Something that this machine or a file does not allow: 5.
    Environment(String),
    /// What a program that was run has said itself: its code.
    Code(u8),
}

impl Stop {
    /// Says on the right stream what there is to say, and gives the code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Stop::Answered(text) => match print(&text) {
                Ok(()) => ExitCode::SUCCESS,
                Err(stop) => stop.report(),
            },
            Stop::Usage(text) => failed(&text, 1),
            Stop::Environment(text) => failed(&text, 5),
            Stop::Code(code) => ExitCode::from(code),
        }
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

/// Writes to stderr; there is nobody left to tell when that fails.
pub(crate) fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_has_gone_does_not_hide_the_exit_code() {
        assert!(printed(Err(io::ErrorKind::BrokenPipe.into())).is_ok());
        assert!(printed(Err(io::ErrorKind::StorageFull.into())).is_err());
    }
}
