//! Check, pause and play.

use super::Counter;
use super::period::{Backwards, Period};
use crate::Source;
use tourbillon_clock::Ticks;

/// A stopwatch over any source: it runs from the moment at which it is made, and can be checked,
/// paused and played on.
///
/// # Examples
///
/// ```
/// use tourbillon_timers::counters::{Counter, Stopwatch};
/// use tourbillon_clock::{Clock, Script};
///
/// let script = Script::new().now_cost(0);
/// let counter = Counter::new(Clock::scripted(&script));
/// let mut stopwatch = Stopwatch::start(&counter);
/// script.advance(2_000_000_000);
/// stopwatch.pause()?;
/// script.advance(60_000_000_000); // a break
/// stopwatch.play();
/// script.advance(1_000_000_000);
/// assert_eq!(stopwatch.check()?.seconds(), Some(3.0));
/// # Ok::<(), tourbillon_timers::counters::Backwards>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stopwatch<'a, S> {
    counter: &'a Counter<S>,
    /// Ticks of the stretches that are over.
    counted: Ticks,
    /// Where the present stretch began; `None` while it is paused.
    since: Option<Ticks>,
}

impl<'a, S: Source> Stopwatch<'a, S> {
    /// Starts.
    #[must_use]
    pub fn start(counter: &'a Counter<S>) -> Stopwatch<'a, S> {
        Stopwatch {
            counter,
            counted: Ticks(0),
            since: Some(counter.source().read()),
        }
    }

    /// What has been counted, breaks left out; it goes on as it was.
    ///
    /// # Errors
    ///
    /// Where the source went backwards.
    pub fn check(&self) -> Result<Period<'a>, Backwards> {
        self.total().map(|ticks| self.period(ticks))
    }

    /// Stands still, and says what has been counted. Pausing twice is pausing once.
    ///
    /// # Errors
    ///
    /// Where the source went backwards; the stretch is not counted then.
    pub fn pause(&mut self) -> Result<Period<'a>, Backwards> {
        let total = self.total();
        self.since = None;
        self.counted = total?;
        Ok(self.period(self.counted))
    }

    /// Runs on. Playing twice is playing once.
    pub fn play(&mut self) {
        if self.since.is_none() {
            self.since = Some(self.counter.source().read());
        }
    }

    /// Whether it stands still.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.since.is_none()
    }

    fn total(&self) -> Result<Ticks, Backwards> {
        let Some(since) = self.since else {
            return Ok(self.counted);
        };
        let now = self.counter.source().read();
        match now.since(since) {
            Some(ticks) => Ok(Ticks(self.counted.0.saturating_add(ticks.0))),
            None => Err(Backwards {
                by: Ticks(since.0 - now.0),
            }),
        }
    }

    fn period(&self, ticks: Ticks) -> Period<'a> {
        Period::of(self.counter.source(), self.counter.late(), ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tourbillon_clock::{Clock, Script};

    #[test]
    fn breaks_do_not_count() {
        let script = Script::new().now_cost(0);
        let counter = Counter::new(Clock::scripted(&script));
        let mut stopwatch = Stopwatch::start(&counter);
        for round in 1..=3 {
            script.advance(10);
            assert_eq!(stopwatch.check().unwrap().ticks(), Ticks(10 * round));
            assert_eq!(stopwatch.pause().unwrap().ticks(), Ticks(10 * round));
            script.advance(1_000);
            assert_eq!(stopwatch.pause().unwrap().ticks(), Ticks(10 * round));
            assert!(stopwatch.is_paused());
            assert_eq!(stopwatch.check().unwrap().ticks(), Ticks(10 * round));
            stopwatch.play();
        }
        script.advance(4);
        stopwatch.play();
        script.advance(4);
        assert_eq!(stopwatch.check().unwrap().ticks(), Ticks(38));
    }

    #[test]
    fn a_stretch_that_went_backwards_is_an_error_and_not_counted() {
        let script = Script::new().now_cost(0).warp(10, -5);
        let counter = Counter::new(Clock::scripted(&script));
        script.advance(9);
        let mut stopwatch = Stopwatch::start(&counter);
        script.advance(1);
        assert_eq!(stopwatch.check().unwrap_err().by, Ticks(4));
        assert!(stopwatch.pause().is_err());
        stopwatch.play();
        script.advance(3);
        assert_eq!(stopwatch.pause().unwrap().ticks(), Ticks(3));
    }
}
