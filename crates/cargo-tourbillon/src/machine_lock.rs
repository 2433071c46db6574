//! Waits for other programs that measure.

use std::env;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use tourbillon_clock::wall;
use tourbillon_os::Signals;
use tourbillon_report::escape;
use tourbillon_runner::{LOCK_VARIABLE, LockChoice, MachineLock};

use crate::exit::{INTERRUPTED, Stop, say};

/// How often a program that waits looks whether it is interrupted.
const LOOK: Duration = Duration::from_millis(200);

/// The lock of the machine for a command, which exits with `no_wait` while another program has it.
pub(crate) fn machine_lock(command: &str, no_wait: bool) -> Result<Option<MachineLock>, Stop> {
    let choice = LockChoice::new(env::var_os(LOCK_VARIABLE), !no_wait);
    let now = || wall::local_rfc3339(wall::unix_ns());
    let mut note = |text: &str| say(&format!("{}\n", escape(text, true)));
    MachineLock::acquire(&choice, command, now, &mut note)
        .map_err(|why| Stop::Environment(escape(&why, true)))
}

/// The same for a program that notes signals: an interrupt ends the wait.
pub(crate) fn machine_lock_with(
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

/// What `take` returns, which may block; `None` after an interrupt.
fn unless<T: Send + 'static>(
    is_interrupted: impl Fn() -> bool,
    take: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, taken) = mpsc::channel();
    // No system lets a thread stop waiting for a lock. After an interrupt it ends with the process.
    thread::spawn(move || sender.send(take()));
    loop {
        match taken.recv_timeout(LOOK) {
            Ok(taken) => return Some(taken),
            Err(RecvTimeoutError::Timeout) if !is_interrupted() => {}
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_ends_the_wait() {
        assert_eq!(unless(|| false, || 1), Some(1));
        let (holder, held) = mpsc::channel::<()>();
        assert_eq!(unless(|| true, move || held.recv().is_ok()), None);
        drop(holder);
    }
}
