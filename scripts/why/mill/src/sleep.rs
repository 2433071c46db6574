//! Attempts until something is there.

use std::sync::atomic::{AtomicU32, Ordering};

pub fn received(left: &AtomicU32) -> u32 {
    let mut attempts = 0;
    while left.load(Ordering::Relaxed) > attempts {
        attempts += 1;
        spin();
    }
    attempts
}

pub fn spin() {
    for _ in 0..500 {
        std::hint::spin_loop();
    }
}
