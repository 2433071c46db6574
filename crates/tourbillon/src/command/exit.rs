//! Exit codes of a bench binary, and what ends it early.
//!
//! A run that a signal ended before its time has [`EXIT_INTERRUPTED`] as its code. Under plain
//! `cargo bench`, cargo turns whatever is not 0 into its own code.
//!
//! [`EXIT_INTERRUPTED`]: tourbillon_coordinate::EXIT_INTERRUPTED

use tourbillon_coordinate::EXIT_FAILED;

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
