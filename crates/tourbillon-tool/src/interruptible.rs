//! Calls that block, in a program that notes signals.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often a program that waits looks whether it is interrupted.
const LOOK: Duration = Duration::from_millis(200);

/// What `call` returns, which may block; `None` after an interrupt.
pub fn unless<T: Send + 'static>(
    is_interrupted: impl Fn() -> bool,
    call: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, returned) = mpsc::channel();
    // No system lets a thread stop waiting. After an interrupt it ends with the process.
    thread::spawn(move || sender.send(call()));
    loop {
        match returned.recv_timeout(LOOK) {
            Ok(returned) => return Some(returned),
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
