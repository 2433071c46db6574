//! Calls that block, in a program that notes signals.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often a program that waits looks whether it is interrupted.
const LOOK: Duration = Duration::from_millis(200);

/// How long a call may take after an interrupt: one that waits for cargo asks what cargo has started to end, which would go
/// on otherwise.
const LAST: Duration = Duration::from_millis(500);

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
            Err(_) => {
                let _ = returned.recv_timeout(LAST);
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_notices_the_interrupt_comes_to_its_end() {
        let (interrupt, noticed) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let call = move || noticed.recv().map(|()| end.send(()));
        let is_interrupted = || interrupt.send(()).is_ok();
        assert!(unless(is_interrupted, call).is_none());
        assert!(ended.try_recv().is_ok());
    }

    #[test]
    fn an_interrupt_ends_the_wait() {
        assert_eq!(unless(|| false, || 1), Some(1));
        let (holder, held) = mpsc::channel::<()>();
        assert_eq!(unless(|| true, move || held.recv().is_ok()), None);
        drop(holder);
    }
}
