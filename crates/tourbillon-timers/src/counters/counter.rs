//! A start, stops, and the periods between them.

use std::cell::OnceCell;
use std::fmt;

use tourbillon_clock::{Frequency, Ticks};

use crate::Source;

/// A frequency that is looked up when it is first needed.
pub(super) type LazyFrequency = OnceCell<Option<Frequency>>;

/// The time between two readings of a source.
///
/// The conversions divide once, in 128 bits: no period is too short or too long for them. They are `None` if
/// the source counts something of no fixed length, such as cycles.
#[derive(Clone, Copy)]
pub struct Period<'a> {
    ticks: Ticks,
    source: &'a dyn Source,
    frequency: &'a LazyFrequency,
}

impl<'a> Period<'a> {
    /// A number of ticks of a source.
    pub(super) fn of(
        ticks: Ticks,
        source: &'a dyn Source,
        frequency: &'a LazyFrequency,
    ) -> Period<'a> {
        Period {
            ticks,
            source,
            frequency,
        }
    }

    /// The period in the source's own unit.
    #[must_use]
    pub fn ticks(&self) -> Ticks {
        self.ticks
    }

    /// The period in seconds.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        self.nanoseconds().map(|ns| ns / 1e9)
    }

    /// The period in milliseconds.
    #[must_use]
    pub fn milliseconds(&self) -> Option<f64> {
        self.nanoseconds().map(|ns| ns / 1e6)
    }

    /// The period in microseconds.
    #[must_use]
    pub fn microseconds(&self) -> Option<f64> {
        self.nanoseconds().map(|ns| ns / 1e3)
    }

    /// The period in nanoseconds, as exactly as an `f64` represents it.
    #[must_use]
    pub fn nanoseconds(&self) -> Option<f64> {
        Some(self.frequency()?.nanos(self.ticks))
    }

    /// The period in picoseconds, rounded to the nearest: exact for every count.
    #[must_use]
    pub fn picoseconds(&self) -> Option<u128> {
        Some(self.frequency()?.nanos_exact(self.ticks))
    }

    pub(super) fn with_ticks(self, ticks: Ticks) -> Period<'a> {
        Period { ticks, ..self }
    }

    fn frequency(&self) -> Option<Frequency> {
        *self.frequency.get_or_init(|| self.source.frequency())
    }
}

impl fmt::Debug for Period<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ticks, name) = (self.ticks.0, self.source.name());
        write!(f, "Period({ticks} ticks of {name})")
    }
}

/// A source read less at the end of a period than at its start.
///
/// It was stepped, it wrapped, or its readings differ between processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backwards {
    /// The difference.
    pub by: Ticks,
}

impl fmt::Display for Backwards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the source went backwards by {} ticks; use one without a caveat",
            self.by.0
        )
    }
}

impl std::error::Error for Backwards {}

/// The ticks from one reading to another.
pub(super) fn ticks_between(start: Ticks, stop: Ticks) -> Result<Ticks, Backwards> {
    stop.since(start).ok_or(Backwards {
        by: Ticks(start.0.wrapping_sub(stop.0)),
    })
}

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
    frequency: LazyFrequency,
}

impl<S: Source> Counter<S> {
    /// A counter of that source.
    #[must_use]
    pub const fn new(source: S) -> Counter<S> {
        Counter {
            source,
            frequency: LazyFrequency::new(),
        }
    }

    /// Reads the source. The counter can be started any number of times, also while it runs.
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

    pub(super) fn period(&self, ticks: Ticks) -> Period<'_> {
        Period::of(ticks, &self.source, &self.frequency)
    }
}

/// A counter that was started.
#[derive(Clone, Copy, Debug)]
pub struct Running<'a, S> {
    counter: &'a Counter<S>,
    start: Ticks,
}

impl<'a, S: Source> Running<'a, S> {
    /// Reads the source again: the period since the start, which stays the same for further stages.
    ///
    /// # Errors
    ///
    /// If the source went backwards.
    #[inline]
    pub fn stop(&self) -> Result<Period<'a>, Backwards> {
        let stop = self.counter.source.read();
        Ok(self.counter.period(ticks_between(self.start, stop)?))
    }

    /// As [`stop`](Running::stop), and starts again at the same reading, so that nothing is lost between two
    /// periods.
    ///
    /// # Errors
    ///
    /// If the source went backwards; the counter is started again all the same.
    #[inline]
    pub fn restart(&mut self) -> Result<Period<'a>, Backwards> {
        let stop = self.counter.source.read();
        let start = std::mem::replace(&mut self.start, stop);
        Ok(self.counter.period(ticks_between(start, stop)?))
    }
}

/// Times a block: started when it is made, stopped when it is dropped or earlier; its ticks are added to a
/// sum.
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
    sum: &'a mut Result<Ticks, Backwards>,
    stopped: bool,
}

impl<'a, S: Source> Scope<'a, S> {
    /// Starts. At the end the ticks are added to `sum`; the first error replaces it and stays.
    #[inline]
    #[must_use = "a scope that is not bound ends at once"]
    pub fn new(counter: &'a Counter<S>, sum: &'a mut Result<Ticks, Backwards>) -> Scope<'a, S> {
        Scope {
            running: counter.start(),
            sum,
            stopped: false,
        }
    }

    /// Stops before the end of the block.
    ///
    /// # Errors
    ///
    /// If the source went backwards.
    #[inline]
    pub fn stop(mut self) -> Result<Period<'a>, Backwards> {
        self.finish()
    }

    /// The counter.
    #[must_use]
    pub fn counter(&self) -> &Counter<S> {
        self.running.counter
    }

    /// The period up to now; the scope runs on.
    ///
    /// # Errors
    ///
    /// If the source went backwards.
    pub fn so_far(&self) -> Result<Period<'a>, Backwards> {
        self.running.stop()
    }

    fn finish(&mut self) -> Result<Period<'a>, Backwards> {
        self.stopped = true;
        let period = self.running.stop();
        if let Ok(sum) = *self.sum {
            *self.sum = period.map(|period| Ticks(sum.0.saturating_add(period.ticks.0)));
        }
        period
    }
}

impl<S: Source> Drop for Scope<'_, S> {
    #[inline]
    fn drop(&mut self) {
        if !self.stopped {
            // The sum has the error, if there is one.
            let _ = self.finish();
        }
    }
}
