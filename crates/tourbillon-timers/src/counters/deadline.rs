//! What is left until a limit.

use std::time::Duration;

use tourbillon_clock::{Clock, Frequency, Ticks};

/// A limit on a clock.
///
/// Every answer comes from one reading. Whoever asks twice, first whether the limit has passed and
/// then how much is left, may be told by the second reading what the first had excluded: the
/// difference can be negative then (A. Akinshin, "Stopwatch under the hood", 2016).
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use tourbillon_timers::counters::Deadline;
/// use tourbillon_clock::{Clock, Script};
///
/// let script = Script::new().now_cost(0);
/// let clock = Clock::scripted(&script);
/// let deadline = Deadline::after(&clock, Duration::from_micros(5));
/// script.advance(2_000);
/// assert_eq!(deadline.checked_remaining(), Some(Duration::from_micros(3)));
/// script.advance(4_000);
/// assert_eq!(deadline.checked_remaining(), None);
/// assert_eq!(deadline.saturating_remaining(), Duration::ZERO);
/// ```
#[derive(Clone, Debug)]
pub struct Deadline {
    clock: Clock,
    frequency: Frequency,
    began: Ticks,
    limit: Ticks,
}

impl Deadline {
    /// The limit `after` from now, to the nearest tick.
    ///
    /// # Cost
    ///
    /// That of [`Clock::frequency`].
    #[must_use]
    pub fn after(clock: &Clock, after: Duration) -> Deadline {
        let frequency = clock.frequency();
        let nanos = u64::try_from(after.as_nanos()).unwrap_or(u64::MAX);
        Deadline {
            limit: frequency.ticks_in(nanos),
            frequency,
            began: clock.now(),
            clock: clock.clone(),
        }
    }

    /// What is left, from one reading; `None` once the limit has passed. Zero is returned exactly at
    /// the limit.
    #[must_use]
    pub fn checked_remaining(&self) -> Option<Duration> {
        // A clock that went backwards has spent nothing yet.
        let spent = self.clock.now().since(self.began).unwrap_or(Ticks(0));
        let left = self.limit.since(spent)?;
        let nanos = self.frequency.nanos_exact(left) / 1_000;
        Some(Duration::from_nanos(
            u64::try_from(nanos).unwrap_or(u64::MAX),
        ))
    }

    /// What is left, from one reading; zero once the limit has passed.
    #[must_use]
    pub fn saturating_remaining(&self) -> Duration {
        self.checked_remaining().unwrap_or(Duration::ZERO)
    }

    /// Whether the limit has passed. To use what is left, ask for that alone.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        self.checked_remaining().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tourbillon_clock::Script;

    #[test]
    fn no_reading_is_left_to_come_between_question_and_answer() {
        // A reading costs 3 ticks: with two of them, the second is beyond the limit.
        let script = Script::new().now_cost(3);
        let deadline = Deadline::after(&Clock::scripted(&script), Duration::from_nanos(10));
        let mut seen = Vec::new();
        for _ in 0..5 {
            let before = script.at();
            seen.push(deadline.checked_remaining().map(|left| left.as_nanos()));
            assert_eq!(script.at().since(before), Some(Ticks(3)));
        }
        assert_eq!(seen, [Some(7), Some(4), Some(1), None, None]);
        assert!(deadline.has_passed());
    }

    #[test]
    fn limits_without_end_do_not_overflow() {
        let script = Script::new().hz(10_000_000_000).now_cost(0);
        let deadline = Deadline::after(&Clock::scripted(&script), Duration::MAX);
        assert!(deadline.saturating_remaining() > Duration::from_secs(1_000_000_000));
        script.advance(u64::MAX);
        assert_eq!(deadline.checked_remaining(), Some(Duration::ZERO));
    }

    #[test]
    fn a_clock_that_goes_backwards_leaves_the_whole_time() {
        let script = Script::new().now_cost(0).warp(101, -50);
        script.advance(100);
        let deadline = Deadline::after(&Clock::scripted(&script), Duration::from_nanos(20));
        script.advance(1);
        assert_eq!(deadline.saturating_remaining().as_nanos(), 20);
    }
}
