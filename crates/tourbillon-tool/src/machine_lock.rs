//! Waits for other programs that measure.

use std::env;

use tourbillon_clock::wall;
use tourbillon_coordinator::runner::{LOCK_VARIABLE, LockChoice, MachineLock};
use tourbillon_os::Signals;
use tourbillon_report::escape;

use crate::exit::{INTERRUPTED, Stop, say};
use crate::interruptible::unless;

/// The lock of the machine for a command, which exits with `no_wait` while another program has it.
pub fn machine_lock(command: &str, no_wait: bool) -> Result<Option<MachineLock>, Stop> {
    let choice = LockChoice::new(env::var_os(LOCK_VARIABLE), !no_wait);
    let now = || wall::local_rfc3339(wall::unix_ns());
    let mut note = |text: &str| say(&format!("{}\n", escape(text, true)));
    MachineLock::acquire(&choice, command, now, &mut note)
        .map_err(|why| Stop::Environment(escape(&why, true)))
}

/// The same for a program that notes signals: an interrupt ends the wait.
pub fn machine_lock_with(
    signals: Signals,
    command: &'static str,
    no_wait: bool,
) -> Result<Option<MachineLock>, Stop> {
    let taken = unless(
        move || signals.noted().is_some(),
        move || machine_lock(command, no_wait),
    );
    taken.unwrap_or(Err(Stop::Code(INTERRUPTED)))
}
