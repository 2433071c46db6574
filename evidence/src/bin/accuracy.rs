//! Compares the measured cost of the reference kernels with their known cost.
//!
//! ```text
//! cargo bench -p examples --bench landmarks -- --format jsonl > landmarks.jsonl
//! cargo run --profile bench -p examples --bin accuracy -- landmarks.jsonl
//! ```
//!
//! Reads the file that it is given, or standard input, and prints a table in Markdown. Of several files it
//! prints one table for all, kernel by kernel; exit code 1 when something is not as it shall be
//! (`scripts/landmarks.sh`).

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use evidence::accuracy::{Accuracy, Repeated};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            // Nothing is left to be done when even this cannot be written.
            let _ = writeln!(io::stderr(), "accuracy: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Prints what was measured; whether it is as it shall be, where several runs were given.
fn run() -> Result<bool, String> {
    let files: Vec<OsString> = env::args_os().skip(1).collect();
    let mut runs = Vec::new();
    for file in &files {
        let name = file.display();
        let lines = fs::read_to_string(file).map_err(|e| format!("{name} cannot be read: {e}"))?;
        runs.push(Accuracy::read(&lines).map_err(|e| format!("{name}: {e}"))?);
    }
    if runs.is_empty() {
        let lines = io::read_to_string(io::stdin())
            .map_err(|e| format!("standard input cannot be read: {e}"))?;
        runs.push(Accuracy::read(&lines)?);
    }
    if let [run] = &runs[..] {
        return print(run).map(|()| true);
    }
    let repeated = Repeated::new(runs);
    print(&repeated)?;
    Ok(repeated.wrong().is_empty())
}

fn print(table: &dyn fmt::Display) -> Result<(), String> {
    match write!(io::stdout(), "{table}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output cannot be written: {error}"))
        }
        _ => Ok(()),
    }
}
