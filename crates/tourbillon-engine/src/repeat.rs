//! Running a body again and again for somebody who looks on, such as a profiler.

use tourbillon_clock::{Clock, Ticks};

use crate::arm::{Arm, Stretch};
use crate::budget::{WINDOW_BYTES, WINDOW_ITEMS};

/// Batches of this part of the whole are long enough: what is between two of them does not show.
const PARTS: u64 = 100;

/// Runs the body for so many ticks at least, in the loops in which it is measured; says how many
/// iterations that were.
pub fn repeat(arm: &mut dyn Arm, clock: &Clock, ticks: Ticks) -> u64 {
    let limits = arm.limits();
    let (unroll, most) = match limits.window_bytes_per_item {
        Some(bytes) => (
            1,
            (WINDOW_BYTES / bytes.max(1) as u64).clamp(1, WINDOW_ITEMS),
        ),
        None if limits.unrolls => (8, u64::MAX / 4),
        None => (1, u64::MAX / 4),
    };
    let mut stretch = Stretch {
        windows: 1,
        items: u64::from(unroll),
        unroll,
    };
    let (start, mut before, mut iterations) = (clock.now().0, 0, 0);
    loop {
        arm.batch(clock, stretch);
        iterations += stretch.windows * stretch.items;
        let passed = clock.now().0.wrapping_sub(start);
        if passed >= ticks.0 {
            return iterations;
        }
        if passed - before < ticks.0 / PARTS {
            if stretch.items * 2 <= most {
                stretch.items *= 2;
            } else {
                stretch.windows *= 2;
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
        asked: Vec<Stretch>,
    }

    impl Arm for Body<'_> {
        fn batch(&mut self, _clock: &Clock, stretch: Stretch) -> Reading {
            self.asked.push(stretch);
            self.script.advance(1000 * stretch.windows * stretch.items);
            Reading {
                ticks: Ticks(0),
                pauses: 0,
            }
        }

        fn limits(&self) -> Limits {
            self.limits
        }
    }

    fn repeated(window_bytes_per_item: Option<usize>, unrolls: bool) -> (u64, Vec<Stretch>) {
        let script = Script::new().hz(1_000_000_000);
        let mut body = Body {
            script: &script,
            limits: Limits {
                window_bytes_per_item,
                unrolls,
                pauses: false,
            },
            asked: Vec::new(),
        };
        let clock = Clock::scripted(&script);
        let iterations = repeat(&mut body, &clock, Ticks(1_000_000_000));
        (iterations, body.asked)
    }

    #[test]
    fn it_goes_on_for_the_time_in_batches_that_are_a_small_part_of_it() {
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
        let (_, asked) = repeated(Some(1024), true);
        let widest = asked.iter().map(|one| one.items).max();
        assert_eq!(widest, Some(256));
        assert!(asked.iter().all(|one| one.unroll == 1));
        assert!(asked.len() < 130, "{}", asked.len());
    }
}
