//! Windows: what it costs to know whether one was disturbed.

use std::hint::black_box;

use tourbillon_clock::Clock;
use tourbillon_timers::Canary;

/// A window and a loop that opens and closes it.
pub(crate) struct Window {
    pub(crate) name: &'static str,
    batch: fn(&Clock, &Canary, u32),
}

impl Window {
    /// Opens and closes it so often.
    pub(crate) fn run(&self, clock: &Clock, canary: &Canary, times: u32) {
        (self.batch)(clock, canary, times);
    }
}

/// The bare pair first: the other one is held against it.
pub(crate) const WINDOWS: &[Window] = &[
    Window {
        name: "start, stop",
        batch: |clock, _, times| {
            for _ in 0..times {
                black_box((clock.start(), clock.stop()));
            }
        },
    },
    Window {
        name: "begin, start, stop, end",
        batch: |clock, canary, times| {
            for _ in 0..times {
                let begun = canary.begin();
                black_box((clock.start(), clock.stop()));
                black_box(canary.end(begun));
            }
        },
    },
];
