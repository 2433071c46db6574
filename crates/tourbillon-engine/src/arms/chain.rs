use tourbillon_clock::{Clock, Ticks};

use crate::loops::{UNROLLED, chain};
use crate::{Arm, Limits, Reading, Stretch};

/// A body whose every call takes the output of the call before: its latency. Each batch starts from
/// the same first value.
#[derive(Debug)]
pub struct Chained<F, T> {
    body: F,
    first: T,
}

impl<T: Clone, F: FnMut(T) -> T> Chained<F, T> {
    /// An arm of `body`, starting from `first`.
    pub fn new(body: F, first: T) -> Self {
        Self { body, first }
    }
}

impl<T: Clone, F: FnMut(T) -> T> Arm for Chained<F, T> {
    fn batch(&mut self, clock: &Clock, stretch: Stretch) -> Reading {
        let rounds = stretch.windows * stretch.items / u64::from(stretch.unroll);
        let first = self.first.clone();
        let ticks = if stretch.unroll == UNROLLED {
            chain::<T, F, UNROLLED>(clock, &mut self.body, first, rounds)
        } else {
            chain::<T, F, 1>(clock, &mut self.body, first, rounds)
        };
        Reading {
            ticks: Ticks(ticks),
            pauses: 0,
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            window_bytes_per_item: None,
            unrolls: true,
            pauses: false,
        }
    }
}
