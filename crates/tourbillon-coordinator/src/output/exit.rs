//! Exit codes of a bench binary, what ends it early, and ends of the process that would look like success.
//!
//! A run that a signal interrupted has [`EXIT_INTERRUPTED`] as its code, a program that panics
//! outside of its cases 101, which is every Rust program's. `cargo bench` passes them on, unless it has
//! `--no-fail-fast`: then its own is 101.
//!
//! [`EXIT_INTERRUPTED`]: crate::runner::EXIT_INTERRUPTED

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use tourbillon_engine::process_id;
use tourbillon_os::terminal_width;
use tourbillon_report::{Ink, Style, TextLines, escape_commands, escape_lines};

use crate::runner::EXIT_FAILED;

/// Everything requested was done. A filter that selects nothing is no failure: cargo runs
/// every bench binary with the same filter.
pub const FINE: u8 = 0;
/// The command line or a benchmark's declaration cannot be followed; nothing was run.
pub const USAGE: u8 = 1;
/// A case failed; the others were measured.
pub const FAILED: u8 = EXIT_FAILED;
/// The system does not let the run go on.
pub const ENVIRONMENT: u8 = 5;

/// Why a mode ends before it is done.
#[derive(Debug)]
pub struct Stop {
    /// The exit code.
    pub code: u8,
    /// A message for the user.
    pub message: String,
}

impl Stop {
    /// A command line that cannot be followed.
    pub fn usage(message: impl ToString) -> Stop {
        Stop {
            code: USAGE,
            message: message.to_string(),
        }
    }

    /// A system that does not let the run go on.
    pub fn environment(message: impl ToString) -> Stop {
        Stop {
            code: ENVIRONMENT,
            message: message.to_string(),
        }
    }
}

/// Writes lines to stderr, with what would move, hide or recolour other text [escaped](escape_lines): messages quote
/// panics, paths and records. An error there cannot be reported anywhere.
pub fn to_stderr(text: &str) {
    draw(&escape_commands(escape_lines(text, true)));
}

/// Writes why a program ends to stderr, wrapped to the width of its terminal.
pub fn say_error(message: &str) {
    let width = terminal_width(&io::stderr()).map_or(Style::FILE.width, usize::from);
    to_stderr(&error_lines(message, width));
}

fn error_lines(message: &str, width: usize) -> String {
    let style = Style::of_width(width);
    let mut page = TextLines::new(&style);
    for line in format!("error: {message}").split('\n') {
        page.line(Ink::Plain, "", line);
    }
    page.text
}

/// Writes to stderr as it is: what is coloured, or redraws a line.
pub(super) fn draw(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// The process that must not end yet; 0 for none. A benchmark's own child processes may.
static UNFINISHED: AtomicU32 = AtomicU32::new(0);
/// The case that runs in it.
static RUNNING: Mutex<Option<String>> = Mutex::new(None);

/// Runs a mode of the program: until it returns, an end of the process is a failure, such as by
/// `std::process::exit` in a body. In a worker, the coordinator notices it; here, it would look like
/// success.
pub fn unfinished<T>(mode: impl FnOnce() -> T) -> T {
    struct Finished;
    impl Drop for Finished {
        fn drop(&mut self) {
            UNFINISHED.store(0, Ordering::Relaxed);
        }
    }
    UNFINISHED.store(process_id(), Ordering::Relaxed);
    let _finished = Finished;
    tourbillon_os::at_exit(ended_early);
    mode()
}

/// Notes which case runs from now on; `None` for none.
pub fn running(case: Option<&str>) {
    if let Ok(mut running) = RUNNING.lock() {
        *running = case.map(str::to_owned);
    }
}

/// Names what ended the process.
fn ended_early() -> Option<u8> {
    if UNFINISHED.load(Ordering::Relaxed) != process_id() {
        return None;
    }
    // The thread that ends the process may be any.
    let running = RUNNING.try_lock().ok()?.take();
    let what = match running {
        Some(case) => format!("{case} ended the process, and the cases after it did not run"),
        None => "the process was ended while no case ran, such as by the values of a parameter"
            .to_owned(),
    };
    to_stderr(&format!("\nerror: {what}; remove the call of exit\n"));
    Some(FAILED)
}

/// Has a program fail at its end in which the standard harness took the place of
/// `main`, if it was to measure.
pub fn fail_without_main() {
    tourbillon_os::at_exit(|| {
        if !std::env::args_os().any(|argument| argument == "--bench") {
            return None;
        }
        to_stderr(
            "error: the benchmarks of this target were not measured; write `harness = false` in its \
             [[bench]] section in Cargo.toml and let its main call tourbillon::main()\n",
        );
        Some(USAGE)
    });
}

#[cfg(test)]
mod tests {
    use crate::runner::EXIT_INTERRUPTED;

    use super::*;

    /// The exit code of a Rust program whose main thread panics.
    const PANICKED: u8 = 101;

    #[test]
    fn errors_break_between_words() {
        let message = "no commit v1; name one,\nor find one with `git log --oneline`:\n    v1.0";
        let expected =
            "error: no commit v1; name\none,\nor find one with `git log\n--oneline`:\n    v1.0\n";
        assert_eq!(error_lines(message, 26), expected);
        let unbroken = format!("error: {message}\n");
        assert_eq!(error_lines(message, Style::FILE.width), unbroken);
    }

    /// The numbers in a text, each once.
    fn numbers(text: &str) -> Vec<u8> {
        let parts = text.split(|c: char| !c.is_ascii_digit());
        let mut numbers: Vec<u8> = parts.filter_map(|part| part.parse().ok()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    #[test]
    fn the_codes_are_those_in_the_help_and_in_the_pages() {
        let codes = [FINE, USAGE, FAILED, ENVIRONMENT, PANICKED, EXIT_INTERRUPTED];
        let help = crate::args::help("x");
        let (_, listed) = help.split_once("Exit codes:").expect("a list");
        assert_eq!(numbers(listed), codes);
        // In the table, a code that bench programs have has a meaning in the second column.
        let page = include_str!("../../../../docs/reference/exit-codes.md");
        let table = page.split_once("\n| exit code ").expect("a table").1;
        let rows = table.lines().skip(2).take_while(|row| row.starts_with('|'));
        let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
        let of_programs = cells.filter(|cells| !cells[2].is_empty());
        let found: Vec<u8> = of_programs
            .filter_map(|cells| cells[1].parse().ok())
            .collect();
        assert_eq!(found, codes);
    }
}
