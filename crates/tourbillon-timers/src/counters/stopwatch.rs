//! A stopwatch with breaks, and a limit.

use std::time::Duration;

use tourbillon_clock::{Clock, Frequency, Ticks};

use super::counter::{Backwards, Counter, Period, ticks_between};
use crate::Source;

/// A stopwatch over any source, which can be checked, paused and resumed.
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
    /// Ticks of the finished stretches.
    counted: Ticks,
    /// Start of the present stretch; `None` while it is paused.
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

    /// The time so far, without breaks; the stopwatch goes on as it was.
    ///
    /// # Errors
    ///
    /// If the source went backwards.
    pub fn check(&self) -> Result<Period<'a>, Backwards> {
        Ok(self.counter.period(self.total()?))
    }

    /// Pauses, with the time so far. Does nothing more if it is paused already.
    ///
    /// # Errors
    ///
    /// If the source went backwards; the stretch is not counted then.
    pub fn pause(&mut self) -> Result<Period<'a>, Backwards> {
        let total = self.total();
        self.since = None;
        self.counted = total?;
        Ok(self.counter.period(self.counted))
    }

    /// Resumes. Does nothing if it is running already.
    pub fn play(&mut self) {
        if self.since.is_none() {
            self.since = Some(self.counter.source().read());
        }
    }

    /// Whether it is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.since.is_none()
    }

    fn total(&self) -> Result<Ticks, Backwards> {
        let Some(since) = self.since else {
            return Ok(self.counted);
        };
        let stretch = ticks_between(since, self.counter.source().read())?;
        Ok(Ticks(self.counted.0.saturating_add(stretch.0)))
    }
}

/// A limit on a clock.
///
/// Every result comes from one reading. If a program asks first whether the limit has passed and then how
/// much is left, the second reading may contradict the first: the difference can be negative (A. Akinshin,
/// "Stopwatch under the hood", 2016).
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
    start: Ticks,
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
            start: clock.now(),
            clock: clock.clone(),
        }
    }

    /// The time left, from one reading: zero exactly at the limit, `None` after it.
    #[must_use]
    pub fn checked_remaining(&self) -> Option<Duration> {
        // A clock that went backwards has spent nothing yet.
        let spent = self.clock.now().since(self.start).unwrap_or(Ticks(0));
        let left = self.limit.since(spent)?;
        let nanos = self.frequency.nanos_exact(left) / 1_000;
        Some(Duration::from_nanos(
            u64::try_from(nanos).unwrap_or(u64::MAX),
        ))
    }

    /// The time left, from one reading; zero after the limit.
    #[must_use]
    pub fn saturating_remaining(&self) -> Duration {
        self.checked_remaining().unwrap_or(Duration::ZERO)
    }

    /// Whether the limit has passed. To use the time left, do not ask for this first.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        self.checked_remaining().is_none()
    }
}
