//! A counter that runs as long as a block.

use super::period::{Backwards, Period};
use super::{Counter, Running};
use crate::Source;
use tourbillon_clock::Ticks;

/// Times a block: started when it is made, stopped when it is dropped or earlier, and its count
/// added to a sum.
///
/// # Examples
///
/// ```
/// use tourbillon_timers::counters::{Counter, Scope};
/// use tourbillon_clock::{Clock, Script, Ticks};
///
/// let script = Script::new().now_cost(0);
/// let counter = Counter::new(Clock::scripted(&script));
/// let mut sum = Ok(Ticks(0));
/// {
///     let _scope = Scope::new(&counter, &mut sum);
///     script.advance(30);
/// }
/// assert_eq!(sum, Ok(Ticks(30)));
/// ```
#[derive(Debug)]
pub struct Scope<'a, S: Source> {
    running: Running<'a, S>,
    counter: &'a Counter<S>,
    sum: &'a mut Result<Ticks, Backwards>,
    stopped: bool,
}

impl<'a, S: Source> Scope<'a, S> {
    /// Starts. When it is over, its ticks are added to `sum`, or its error put there, which stays.
    #[inline]
    #[must_use = "a scope that is not kept is over at once"]
    pub fn new(counter: &'a Counter<S>, sum: &'a mut Result<Ticks, Backwards>) -> Scope<'a, S> {
        Scope {
            running: counter.start(),
            counter,
            sum,
            stopped: false,
        }
    }

    /// Stops before the end of the block; the drop does nothing more then.
    ///
    /// # Errors
    ///
    /// Where the source went backwards.
    #[inline]
    pub fn stop(mut self) -> Result<Period<'a>, Backwards> {
        self.finish()
    }

    /// The counter, to look at.
    #[must_use]
    pub fn counter(&self) -> &Counter<S> {
        self.counter
    }

    /// What was counted up to now, while it goes on.
    ///
    /// # Errors
    ///
    /// Where the source went backwards.
    pub fn so_far(&self) -> Result<Period<'a>, Backwards> {
        self.running.stop()
    }

    fn finish(&mut self) -> Result<Period<'a>, Backwards> {
        self.stopped = true;
        let period = self.running.stop();
        *self.sum = match (*self.sum, period) {
            (Ok(sum), Ok(period)) => Ok(Ticks(sum.0.saturating_add(period.ticks().0))),
            (Err(first), _) => Err(first),
            (Ok(_), Err(backwards)) => Err(backwards),
        };
        period
    }
}

impl<S: Source> Drop for Scope<'_, S> {
    #[inline]
    fn drop(&mut self) {
        if !self.stopped {
            // The sum holds the error, if there is one.
            let _ = self.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tourbillon_clock::{Clock, Script};

    #[test]
    fn an_early_stop_is_the_only_one() {
        let script = Script::new().now_cost(0);
        let counter = Counter::new(Clock::scripted(&script));
        let mut sum = Ok(Ticks(0));
        for _ in 0..2 {
            let scope = Scope::new(&counter, &mut sum);
            script.advance(10);
            assert_eq!(scope.so_far().unwrap().ticks(), Ticks(10));
            assert_eq!(Source::name(scope.counter().source()), "scripted");
            script.advance(10);
            assert_eq!(scope.stop().unwrap().ticks(), Ticks(20));
            script.advance(100);
        }
        assert_eq!(sum, Ok(Ticks(40)));
    }

    #[test]
    fn a_block_that_is_left_early_is_timed_to_there() {
        fn leave(counter: &Counter<Clock>, script: &Script, sum: &mut Result<Ticks, Backwards>) {
            let _scope = Scope::new(counter, sum);
            script.advance(10);
            if script.at() > Ticks(5) {
                return;
            }
            script.advance(1_000);
        }
        let script = Script::new().now_cost(0).warp(15, -9);
        let counter = Counter::new(Clock::scripted(&script));
        let mut sum = Ok(Ticks(0));
        leave(&counter, &script, &mut sum);
        assert_eq!(sum, Ok(Ticks(10)));
        // The second ends before it began; its error outlasts the third, which is in order.
        script.advance(4);
        let scope = Scope::new(&counter, &mut sum);
        script.advance(1);
        assert!(scope.stop().is_err());
        leave(&counter, &script, &mut sum);
        assert_eq!(sum, Err(Backwards { by: Ticks(8) }));
    }
}
