//! Programs that run beside a test.

use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use crate::program::Ran;

/// Looks of 50 ms: a minute.
const LOOKS: u32 = 1200;

/// Waits until something holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..LOOKS {
        if holds() {
            return;
        }
        sleep(Duration::from_millis(50));
    }
    panic!("{what}");
}

/// The end of a program; one that goes on is killed.
pub(crate) fn ended(mut child: Child) -> Ran {
    for _ in 0..LOOKS {
        if child.try_wait().expect("it is ours").is_some() {
            return child.wait_with_output().expect("it has ended").into();
        }
        sleep(Duration::from_millis(50));
    }
    child.kill().expect("it is ours");
    panic!("it goes on");
}

/// Sends a signal to a process; whether there is one.
pub(crate) fn signal(name: &str, process: &str) -> bool {
    let status = Command::new("kill").args(["-s", name, process]).status();
    status.expect("kill starts").success()
}
