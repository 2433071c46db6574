//! Why a command ends before its work is done.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::Command;

/// Cargo cannot build: its own exit code. A program in Rust that panics ends with it, too.
pub const CARGO: u8 = 101;

/// Why the program ends before its work is done, or without any.
///
/// A code that a bench binary has as well means the same there.
#[derive(Debug)]
pub enum Stop {
    /// What was asked for is a text of the program itself: 0.
    Answered(String),
    /// A mistake on the command line: 1. The text says which, and what would be right.
    Usage(String),
    /// Something that this machine or a file does not allow: 5.
    Environment(String),
    /// The exit code of a program that was run and has printed why.
    Code(u8),
}

/// Writes to stderr; a failure of that is ignored.
pub fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// The cargo that started this program, or the one in the search path.
#[must_use]
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}
