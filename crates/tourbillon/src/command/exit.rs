//! Exit codes of a bench binary, and what ends it early.
//!
//! A run that a signal ended before its time has [`EXIT_INTERRUPTED`] as its code, a program that panics
//! outside of its cases 101, which is every Rust program's. `cargo bench` passes them on, unless it has
//! `--no-fail-fast`: then its own is 101.
//!
//! [`EXIT_INTERRUPTED`]: tourbillon_runner::EXIT_INTERRUPTED

use tourbillon_runner::EXIT_FAILED;

/// Everything that was asked for was done. A filter that selects nothing is no failure: cargo runs
/// every bench binary with the same filter.
pub(crate) const FINE: u8 = 0;
/// The command line or a benchmark's declaration cannot be followed; nothing was run.
pub(crate) const USAGE: u8 = 1;
/// A case failed; the others were measured.
pub(crate) const FAILED: u8 = EXIT_FAILED;
/// The system does not let the run go on.
pub(crate) const ENVIRONMENT: u8 = 5;

/// Why a mode ends before it is done.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A message for people, and the exit code.
    Because(u8, String),
}

impl Stop {
    /// A command line that cannot be followed.
    #[cold]
    pub(crate) fn usage(text: String) -> Stop {
        Stop::Because(USAGE, text)
    }

    #[cold]
    pub(crate) fn environment(text: String) -> Stop {
        Stop::Because(ENVIRONMENT, text)
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_runner::EXIT_INTERRUPTED;

    use super::*;

    /// What a Rust program ends with when its main thread panics.
    const PANICKED: u8 = 101;

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
        let (_, help) = include_str!("flags/help.txt")
            .split_once("Exit codes:")
            .expect("a list");
        assert_eq!(numbers(help), codes);
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
