//! Bodies that loop and time themselves.

use std::time::Duration;

use tourbillon_clock::{Clock, Ticks};
use tourbillon_record::BatchShape;

use crate::arm::{Arm, Limits, Reading};

/// A body that gets the number of iterations and returns the time that they took: what it returns counts, not
/// the time of the call. It is called once per batch, and never for zero iterations.
#[derive(Debug)]
pub struct SelfTimed<F> {
    body: F,
}

impl<F: FnMut(u64) -> Duration> SelfTimed<F> {
    /// An arm of `body`.
    pub fn new(body: F) -> Self {
        Self { body }
    }
}

impl<F: FnMut(u64) -> Duration> Arm for SelfTimed<F> {
    fn batch(&mut self, clock: &Clock, shape: BatchShape) -> Reading {
        let iterations = shape.iterations();
        let took = match iterations {
            0 => Duration::ZERO,
            _ => (self.body)(iterations),
        };
        let ns = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        Reading {
            ticks: Ticks(clock.frequency().ticks_in(ns).0),
            pauses: 0,
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            loops_itself: true,
            ..Limits::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_clock::Script;

    use super::*;

    #[test]
    fn what_the_body_returns_is_the_reading() {
        let script = Script::new().hz(2_000_000_000).read_cost(10, 10);
        let clock = Clock::scripted(&script);
        let mut asked = Vec::new();
        let mut arm = SelfTimed::new(|iterations| {
            asked.push(iterations);
            script.advance(1_000_000);
            Duration::from_nanos(7 * iterations)
        });
        let mut read = |items| arm.batch(&clock, BatchShape::of_items(items)).ticks.0;
        assert_eq!((read(0), read(1), read(100)), (0, 14, 1_400));
        assert_eq!(asked, [1, 100]);
    }
}
