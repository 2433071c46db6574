//! Waits for other programs that measure.

use std::env;

use tourbillon_clock::wall;
use tourbillon_report::escape;
use tourbillon_runner::{LOCK_VARIABLE, LockChoice, MachineLock};

use crate::exit::{Stop, say};

/// The lock of the machine for a command, which exits with `no_wait` while another program has it.
pub(crate) fn machine_lock(command: &str, no_wait: bool) -> Result<Option<MachineLock>, Stop> {
    let choice = LockChoice::new(env::var_os(LOCK_VARIABLE), !no_wait);
    let now = || wall::local_rfc3339(wall::unix_ns());
    let mut note = |text: &str| say(&format!("{}\n", escape(text, true)));
    MachineLock::acquire(&choice, command, now, &mut note)
        .map_err(|why| Stop::Environment(escape(&why, true)))
}
