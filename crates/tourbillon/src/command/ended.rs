//! Benchmarks that end the process of the program, such as by `std::process::exit` in a body.
//!
//! Of a worker the coordinator notices it. Here, where bodies run in the process that was started, and
//! where their values are evaluated, it would look like a run of which everything went well.

use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use super::console::to_stderr;
use super::exit::FAILED;
use crate::text::{owned, text};

/// The process that must not end yet; 0 for none. What a benchmark forked may.
static UNFINISHED: AtomicU32 = AtomicU32::new(0);
/// The case that runs in it.
static RUNNING: Mutex<Option<String>> = Mutex::new(None);

/// Runs a mode of the program: until it returns, an end of the process is a failure.
pub(crate) fn unfinished<T>(mode: impl FnOnce() -> T) -> T {
    struct Finished;
    impl Drop for Finished {
        fn drop(&mut self) {
            UNFINISHED.store(0, Ordering::Relaxed);
        }
    }
    UNFINISHED.store(process::id(), Ordering::Relaxed);
    let _finished = Finished;
    tourbillon_os::at_exit(ended);
    mode()
}

/// Notes which case runs from now on; `None` for none.
pub(crate) fn runs(case: Option<&str>) {
    if let Ok(mut running) = RUNNING.lock() {
        *running = case.map(owned);
    }
}

/// Names what ended the process.
fn ended() -> Option<u8> {
    if UNFINISHED.load(Ordering::Relaxed) != process::id() {
        return None;
    }
    // The thread that ends the process may be any.
    let running = RUNNING.try_lock().ok()?.take();
    to_stderr(&match running {
        Some(case) => text!(
            "\nerror: {case} ended the process, and the cases after it did not run; remove its call of \
             exit\n"
        ),
        None => owned(
            "\nerror: the process was ended while no case ran, such as by the values of a parameter; \
             remove the call of exit\n",
        ),
    });
    Some(FAILED)
}
