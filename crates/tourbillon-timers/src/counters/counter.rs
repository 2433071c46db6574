//! A start, and stops.

use super::period::{Backwards, Late, Period};
use crate::Source;
use tourbillon_clock::Ticks;

/// A source that is ready to time something.
///
/// # Examples
///
/// ```
/// use tourbillon_timers::counters::Counter;
/// use tourbillon_clock::{Clock, Script, Ticks};
///
/// let script = Script::new().hz(24_000_000).now_cost(0);
/// let counter = Counter::new(Clock::scripted(&script));
/// let running = counter.start();
/// script.advance(24);
/// assert_eq!(running.stop()?.microseconds(), Some(1.0));
/// script.advance(24); // the second stage
/// assert_eq!(running.stop()?.ticks(), Ticks(48));
/// # Ok::<(), tourbillon_timers::counters::Backwards>(())
/// ```
#[derive(Debug)]
pub struct Counter<S> {
    source: S,
    frequency: Late,
}

impl<S: Source> Counter<S> {
    /// A counter of that source. Neither reads nor asks.
    #[must_use]
    pub const fn new(source: S) -> Counter<S> {
        Counter {
            source,
            frequency: Late::new(),
        }
    }

    /// Reads the source; the counter can be started any number of times, also while it runs.
    #[inline]
    #[must_use]
    pub fn start(&self) -> Running<'_, S> {
        Running {
            counter: self,
            start: self.source.read(),
        }
    }

    /// The source.
    #[must_use]
    pub fn source(&self) -> &S {
        &self.source
    }

    pub(super) fn late(&self) -> &Late {
        &self.frequency
    }
}

/// A counter that was started.
#[derive(Clone, Copy, Debug)]
pub struct Running<'a, S> {
    counter: &'a Counter<S>,
    start: Ticks,
}

impl<'a, S: Source> Running<'a, S> {
    /// Reads the source again and gives the period from the start to here. May be repeated, a stage
    /// after the other; the start stays.
    ///
    /// # Errors
    ///
    /// Where the source went backwards.
    #[inline]
    pub fn stop(&self) -> Result<Period<'a>, Backwards> {
        let stop = self.counter.source.read();
        Period::between(
            &self.counter.source,
            &self.counter.frequency,
            self.start,
            stop,
        )
    }

    /// As [`stop`](Running::stop), and starts anew at the same reading, so that nothing is lost
    /// between two periods.
    ///
    /// # Errors
    ///
    /// Where the source went backwards; it is started anew then, too.
    #[inline]
    pub fn restart(&mut self) -> Result<Period<'a>, Backwards> {
        let start = std::mem::replace(&mut self.start, self.counter.source.read());
        Period::between(
            &self.counter.source,
            &self.counter.frequency,
            start,
            self.start,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::counted::Counted;
    use super::*;
    use tourbillon_clock::{Clock, Script};

    #[test]
    fn a_count_asks_for_no_frequency_and_a_time_asks_once() {
        let script = Script::new().hz(1_000_000).now_cost(0);
        let source = Counted::new(&script);
        let counter = Counter::new(source.clone());
        for _ in 0..3 {
            let running = counter.start();
            script.advance(250);
            assert_eq!(running.stop().unwrap().ticks(), Ticks(250));
        }
        assert_eq!(source.asked.get(), 0);
        for _ in 0..3 {
            let running = counter.start();
            script.advance(250);
            let period = running.stop().unwrap();
            assert_eq!(period.seconds(), Some(0.000_25));
            assert_eq!(period.milliseconds(), Some(0.25));
            assert_eq!(period.microseconds(), Some(250.0));
            assert_eq!(period.nanoseconds(), Some(250_000.0));
            assert_eq!(period.picoseconds(), Some(250_000_000));
        }
        assert_eq!(source.asked.get(), 1);
    }

    #[test]
    fn stages_are_counted_from_one_start_and_restarts_from_their_own() {
        let script = Script::new().now_cost(0);
        let counter = Counter::new(Clock::scripted(&script));
        let mut running = counter.start();
        script.advance(5);
        assert_eq!(running.stop().unwrap().ticks(), Ticks(5));
        script.advance(5);
        assert_eq!(running.stop().unwrap().ticks(), Ticks(10));
        assert_eq!(running.restart().unwrap().ticks(), Ticks(10));
        script.advance(7);
        assert_eq!(running.restart().unwrap().ticks(), Ticks(7));
    }

    #[test]
    fn a_source_that_goes_backwards_gives_no_period() {
        let script = Script::new().now_cost(0).warp(100, -30);
        let counter = Counter::new(Clock::scripted(&script));
        script.advance(95);
        let running = counter.start();
        script.advance(5);
        let backwards = running.stop().unwrap_err();
        assert_eq!(backwards, Backwards { by: Ticks(25) });
        assert!(backwards.to_string().contains("25 ticks"));
    }
}
