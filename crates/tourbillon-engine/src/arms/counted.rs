use tourbillon_clock::{Clock, Ticks};

use crate::keep::{keep, touch};
use crate::{Arm, Limits, Reading, Stretch};

/// A body that loops itself and is told how often: one call per batch.
#[derive(Debug)]
pub struct Counted<F> {
    body: F,
}

impl<R, F: FnMut(u64) -> R> Counted<F> {
    /// An arm of `body`.
    pub fn new(body: F) -> Self {
        Self { body }
    }
}

impl<R, F: FnMut(u64) -> R> Arm for Counted<F> {
    fn batch(&mut self, clock: &Clock, stretch: Stretch) -> Reading {
        Reading {
            ticks: Ticks(counted(clock, &mut self.body, stretch.items)),
            pauses: 0,
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            window_bytes_per_item: None,
            unrolls: false,
            pauses: false,
        }
    }
}

/// Calls `body` with `count`, or not at all when that is zero; returns the ticks.
#[inline(never)]
fn counted<R>(clock: &Clock, body: &mut impl FnMut(u64) -> R, count: u64) -> u64 {
    let start = clock.start();
    if count > 0 {
        touch(body);
        keep(body(count));
    }
    clock.stop().0.wrapping_sub(start.0)
}
