//! Warming up: over when two doubling windows agree.

use tourbillon_clock::Clock;
use tourbillon_record::{Length, Warmup};

use crate::{Arm, Stretch};

/// Two windows agree when their medians differ by at most this fraction.
const AGREE: f64 = 0.01;

/// Runs windows of 1, 2, 4, .. short batches until the medians of two neighbours agree, or `most`
/// ticks are spent.
pub(crate) fn warm_up(arm: &mut dyn Arm, clock: &Clock, length: Length, most: u64) -> Warmup {
    let start = clock.now();
    let stretch = Stretch {
        windows: length.windows,
        items: length.items,
        unroll: length.unroll,
    };
    let mut warmup = Warmup::default();
    let mut before: Option<u64> = None;
    let mut window = Vec::with_capacity(256);
    let mut size = 1;
    while !warmup.settled && warmup.ticks < most {
        window.clear();
        while window.len() < size && warmup.ticks < most {
            window.push(arm.batch(clock, stretch).ticks.0);
            warmup.batches += 1;
            warmup.ticks = clock.now().0.wrapping_sub(start.0);
        }
        window.sort_unstable();
        let median = window[window.len() / 2];
        let agrees = |before: u64| before.abs_diff(median) as f64 <= AGREE * median as f64;
        warmup.settled = before.is_some_and(agrees);
        before = Some(median);
        size *= 2;
    }
    warmup
}
