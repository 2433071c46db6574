//! Running a body again and again under a profiler.

use tourbillon_clock::{Clock, Ticks};

use tourbillon_record::BatchShape;

use crate::arm::Arm;
use crate::calibrate::{WINDOW_BYTES, WINDOW_ITEMS};

/// Batches of this fraction of the whole are long enough: the time between two of them is negligible.
const PARTS: u64 = 100;

/// Runs the body for at least this many ticks, in the loops in which it is measured; returns the number of
/// iterations.
pub fn repeat(arm: &mut dyn Arm, clock: &Clock, ticks: Ticks) -> u64 {
    let limits = arm.limits();
    let (unroll, most) = match limits.window_bytes_per_item {
        Some(bytes) => (
            1,
            (WINDOW_BYTES / bytes.max(1) as u64)
                .min(limits.window_items.unwrap_or(WINDOW_ITEMS))
                .clamp(1, WINDOW_ITEMS),
        ),
        None if limits.unrolls => (8, u64::MAX / 4),
        None => (1, u64::MAX / 4),
    };
    let mut shape = BatchShape {
        unroll,
        ..BatchShape::of_items(u64::from(unroll))
    };
    let (start, mut before, mut iterations) = (clock.now().0, 0, 0);
    loop {
        arm.batch(clock, shape);
        iterations += shape.iterations();
        let passed = clock.now().0.wrapping_sub(start);
        if passed >= ticks.0 {
            return iterations;
        }
        if passed - before < ticks.0 / PARTS {
            if shape.items * 2 <= most {
                shape.items *= 2;
            } else {
                shape.windows *= 2;
            }
        }
        before = passed;
    }
}

#[cfg(test)]
mod tests {
    use tourbillon_clock::Script;

    use super::*;
    use crate::arm::{Limits, Reading};

    /// A body that takes a microsecond, and what was asked of it.
    struct Body<'s> {
        script: &'s Script,
        limits: Limits,
        asked: Vec<BatchShape>,
    }

    impl Arm for Body<'_> {
        fn batch(&mut self, _clock: &Clock, shape: BatchShape) -> Reading {
            self.asked.push(shape);
            self.script.advance(1000 * shape.iterations());
            Reading::of(0)
        }

        fn limits(&self) -> Limits {
            self.limits
        }
    }

    fn repeated(window_bytes_per_item: Option<usize>, unrolls: bool) -> (u64, Vec<BatchShape>) {
        let script = Script::new().hz(1_000_000_000);
        let mut body = Body {
            script: &script,
            limits: Limits {
                window_bytes_per_item,
                unrolls,
                ..Limits::default()
            },
            asked: Vec::new(),
        };
        let clock = Clock::scripted(&script);
        let iterations = repeat(&mut body, &clock, Ticks(1_000_000_000));
        (iterations, body.asked)
    }

    #[test]
    fn it_lasts_as_long_as_asked_in_short_batches() {
        let (iterations, asked) = repeated(None, true);
        assert!((1_000_000..1_020_000).contains(&iterations), "{iterations}");
        assert!((50..130).contains(&asked.len()), "{}", asked.len());
        assert!(
            asked
                .iter()
                .all(|one| one.unroll == 8 && one.items % 8 == 0)
        );
    }

    #[test]
    fn windows_stay_as_small_as_they_are_when_measured() {
        let (_, asked) = repeated(Some(8_192), true);
        let widest = asked.iter().map(|one| one.items).max();
        assert_eq!(widest, Some(32));
        assert!(asked.iter().all(|one| one.unroll == 1));
        assert!(asked.len() < 130, "{}", asked.len());
    }
}
