//! Holds what the landmark kernels were measured to cost against what they are known to cost.
//!
//! ```text
//! cargo bench -p examples --bench landmarks -- --format jsonl > landmarks.jsonl
//! cargo run --profile bench -p examples --bin accuracy -- landmarks.jsonl
//! ```
//!
//! Reads the file that it is given, or standard input, and prints a table in Markdown.

use std::env;
use std::fs;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use examples::accuracy::Accuracy;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Nothing is left to be done when even this cannot be written.
            let _ = writeln!(io::stderr(), "accuracy: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut arguments = env::args_os().skip(1);
    let lines = match (arguments.next(), arguments.next()) {
        (Some(file), None) => fs::read_to_string(&file)
            .map_err(|error| format!("{} cannot be read: {error}", file.display()))?,
        (None, _) => {
            let mut lines = String::new();
            io::stdin()
                .read_to_string(&mut lines)
                .map_err(|error| format!("standard input cannot be read: {error}"))?;
            lines
        }
        (Some(_), Some(_)) => return Err("one file at most can be given".to_owned()),
    };
    let table = Accuracy::read(&lines)?;
    match write!(io::stdout(), "{table}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output cannot be written: {error}"))
        }
        _ => Ok(()),
    }
}
