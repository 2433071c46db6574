//! Why a command ends early, and messages on stderr.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::Command;

/// Exit code when cargo cannot build; a Rust program that panics ends with it, too.
pub const CARGO: u8 = 101;

/// Why a command ends early.
///
/// Exit codes that bench binaries have, too, mean the same there.
#[derive(Debug)]
pub enum Stop {
    /// The text was asked for, such as a help text: 0.
    Answered(String),
    /// A mistake on the command line: 1. The text names it and the remedy.
    Usage(String),
    /// This machine or a file does not allow it: 5.
    Environment(String),
    /// The exit code of a program that has printed the reason itself.
    Code(u8),
}

/// Writes to stderr; errors are ignored.
pub fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// The cargo that started this program, else the one in the search path.
#[must_use]
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}
