//! Attempts until something is there.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

pub const PAUSE: Duration = Duration::from_micros(1);

pub fn received(left: &AtomicU32) -> u32 {
    let mut attempts = 0;
    while left.load(Ordering::Relaxed) > attempts {
        attempts += 1;
        std::hint::black_box(attempts);
    }
    if attempts > 100 {
        thread::sleep(PAUSE);
    }
    attempts
}
