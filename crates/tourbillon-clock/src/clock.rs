//! The clock that samples are read from.

use crate::counter::Counter;
use crate::error::{Error, Kind};
use crate::frequency::greatest_common_divisor;
#[cfg(feature = "script")]
use crate::script::Script;
use crate::{Ticks, os};

/// A time source that is being read.
///
/// [`Clock::choose`] finds the best one of the machine; [`Clock::by_name`] takes one that was chosen
/// before.
///
/// # Accuracy
///
/// Regions are timed from [`start`](Clock::start) to [`stop`](Clock::stop): everything before the
/// start has executed when the clock is read, nothing of the region starts earlier, everything in it
/// has executed when the clock is read again. Stores may still be on their way to the cache at the
/// stop; to include them, read them back or fence them in the region. The time of the readings
/// themselves inside the region is that of [`resolution`](Clock::resolution), and cancels between two
/// regions of different length.
///
/// # Cost
///
/// For a counter, one well-predicted compare before its instructions; a call for the other sources.
#[derive(Clone, Debug)]
pub struct Clock {
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    /// The processor's counter: one or two instructions.
    Counter(Counter),
    /// The operating system's monotonic clock, in nanoseconds.
    Os,
    /// Readings defined by a test.
    #[cfg(feature = "script")]
    Scripted(Script),
    /// Another clock, and the observer of its regions.
    Watched(&'static Clock, &'static dyn Regions),
}

/// Name of the operating system's clock.
const OS_NAME: &str = "monotonic";

impl Clock {
    /// The clock of that name: `tsc` (x86-64), `cntvct` (64-bit Arm) or `monotonic` (everywhere).
    ///
    /// Runs no tests: a worker uses the clock that its coordinator has chosen.
    ///
    /// # Errors
    ///
    /// If no source has that name, or if this processor lacks the source.
    pub fn by_name(name: &str) -> Result<Clock, Error> {
        match name {
            OS_NAME => Ok(Clock::os()),
            "tsc" => Clock::counter("tsc", "it is a counter of x86-64 processors"),
            "cntvct" => Clock::counter("cntvct", "it is a counter of 64-bit Arm processors"),
            _ => Err(Error(Kind::UnknownName(name.to_owned()))),
        }
    }

    /// A clock whose readings `script` defines.
    #[cfg(feature = "script")]
    #[must_use]
    pub fn scripted(script: &Script) -> Clock {
        Clock {
            source: Source::Scripted(script.clone()),
        }
    }

    /// The operating system's clock, which calls `regions` where timed regions begin and end.
    ///
    /// # Accuracy
    ///
    /// The calls take time: the readings are for deadlines, not for figures.
    #[must_use]
    pub fn watched(regions: &'static dyn Regions) -> Clock {
        Clock::os().watched_by(regions)
    }

    /// This clock, which also calls `regions` where timed regions begin and end.
    ///
    /// # Accuracy
    ///
    /// [`begin`](Regions::begin) and [`end`](Regions::end) are called inside the region: they add the same
    /// time to a region of any length.
    ///
    /// # Cost
    ///
    /// Leaks a few bytes, so that clocks need no destructor.
    #[must_use]
    pub fn watched_by(self, regions: &'static dyn Regions) -> Clock {
        Clock {
            source: Source::Watched(Box::leak(Box::new(self)), regions),
        }
    }

    fn counter(name: &'static str, whose: &'static str) -> Result<Clock, Error> {
        match Counter::of_this_processor() {
            Some(counter) if Counter::NAME == name => Ok(Clock {
                source: Source::Counter(counter),
            }),
            _ => Err(Error(Kind::Unavailable(name, whose))),
        }
    }

    pub(crate) fn os() -> Clock {
        Clock { source: Source::Os }
    }

    /// Name of the source, as [`by_name`](Clock::by_name) takes it; `scripted` for a scripted clock.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match &self.source {
            Source::Counter(_) => Counter::NAME,
            Source::Os => OS_NAME,
            Source::Watched(clock, _) => clock.name(),
            #[cfg(feature = "script")]
            Source::Scripted(_) => "scripted",
        }
    }

    /// Reads the clock at the start of a timed region.
    #[inline(always)]
    #[must_use]
    pub fn start(&self) -> Ticks {
        match &self.source {
            Source::Counter(counter) => counter.start(),
            _ => self.start_by_call(),
        }
    }

    /// Reads the clock at the end of a timed region.
    #[inline(always)]
    #[must_use]
    pub fn stop(&self) -> Ticks {
        match &self.source {
            Source::Counter(counter) => counter.stop(),
            _ => self.stop_by_call(),
        }
    }

    /// Reads the clock between two calls of a timed region: the end of one and the start of the next.
    ///
    /// Ordered as [`stop`](Clock::stop); an observer of regions is not called.
    #[inline(always)]
    #[must_use]
    pub fn lap(&self) -> Ticks {
        match &self.source {
            Source::Counter(counter) => counter.stop(),
            _ => self.lap_by_call(),
        }
    }

    /// Reads the clock without ordering it against the code around it.
    ///
    /// The cheapest reading, for stamps and budgets; it may be off by the instructions in flight, a few
    /// hundred.
    #[inline(always)]
    #[must_use]
    pub fn now(&self) -> Ticks {
        match &self.source {
            Source::Counter(counter) => counter.now(),
            _ => self.now_by_call(),
        }
    }

    // One copy each, so that a timed loop contains the counter's instructions and one call.
    #[inline(never)]
    fn start_by_call(&self) -> Ticks {
        match &self.source {
            #[cfg(feature = "script")]
            Source::Scripted(script) => script.read_start(),
            Source::Counter(_) | Source::Os => Ticks(os::monotonic_ns()),
            Source::Watched(clock, regions) => {
                regions.before();
                let start = clock.start();
                regions.begin();
                start
            }
        }
    }

    #[inline(never)]
    fn stop_by_call(&self) -> Ticks {
        match &self.source {
            #[cfg(feature = "script")]
            Source::Scripted(script) => script.read_stop(),
            Source::Counter(_) | Source::Os => Ticks(os::monotonic_ns()),
            Source::Watched(clock, regions) => {
                regions.end();
                let stop = clock.stop();
                regions.after();
                stop
            }
        }
    }

    #[inline(never)]
    fn lap_by_call(&self) -> Ticks {
        match &self.source {
            #[cfg(feature = "script")]
            Source::Scripted(script) => script.read_stop(),
            Source::Watched(clock, _) => clock.lap(),
            Source::Counter(_) | Source::Os => Ticks(os::monotonic_ns()),
        }
    }

    #[inline(never)]
    fn now_by_call(&self) -> Ticks {
        match &self.source {
            #[cfg(feature = "script")]
            Source::Scripted(script) => script.read_now(),
            Source::Watched(clock, _) => clock.now(),
            Source::Counter(_) | Source::Os => Ticks(os::monotonic_ns()),
        }
    }

    /// The script of a scripted clock.
    #[cfg(feature = "script")]
    pub(crate) fn script(&self) -> Option<&Script> {
        match &self.source {
            Source::Scripted(script) => Some(script),
            _ => None,
        }
    }

    /// The clock that is observed, if this one calls an observer of regions.
    pub(crate) fn watched_clock(&self) -> Option<&Clock> {
        match &self.source {
            Source::Watched(clock, _) => Some(clock),
            _ => None,
        }
    }

    /// Whether this is the processor's own counter.
    #[must_use]
    pub fn is_counter(&self) -> bool {
        matches!(self.source, Source::Counter(_))
    }
}

/// An observer of timed regions, called by the [`watched`](Clock::watched) clock that is read there.
///
/// So anything else about a region, such as its allocations, is counted for exactly the code that is timed,
/// without pauses, and no timed loop contains code for it.
///
/// Called on the thread that reads the clock: regions of several threads may overlap.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
///
/// use tourbillon_clock::{Clock, Regions};
///
/// #[derive(Debug)]
/// struct Count(AtomicU64);
///
/// impl Regions for Count {
///     fn begin(&self) {
///         self.0.fetch_add(1, Relaxed);
///     }
///
///     fn end(&self) {}
/// }
///
/// static COUNT: Count = Count(AtomicU64::new(0));
///
/// let clock = Clock::watched(&COUNT);
/// let start = clock.start();
/// let ticks = clock.stop().since(start);
/// assert_eq!(COUNT.0.load(Relaxed), 1, "{ticks:?}");
/// ```
pub trait Regions: std::fmt::Debug + Sync {
    /// A region is about to begin: before the clock is read.
    fn before(&self) {}

    /// A region begins: the last call before its code.
    fn begin(&self);

    /// A region ends: the first call after its code.
    fn end(&self);

    /// A region has ended: after the clock was read.
    fn after(&self) {}
}

/// How finely a clock distinguishes times, from a few readings on this machine.
///
/// # Examples
///
/// ```
/// use tourbillon_clock::Clock;
///
/// let clock = Clock::choose().clock;
/// let resolution = clock.resolution();
/// println!("{} ns a step", clock.frequency().nanos(resolution.granularity));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// All differences that were seen are a multiple of this many ticks: the unit by which the counter
    /// advances, on one core (the steps of two cores need not be in phase). `Ticks(0)` if all readings
    /// were equal.
    pub granularity: Ticks,
    /// Median of empty regions, [`start`](Clock::start) followed by [`stop`](Clock::stop): the time of the
    /// readings inside a region.
    pub empty_region: Ticks,
}

impl Clock {
    /// Times 64 empty regions.
    ///
    /// # Accuracy
    ///
    /// Hints for choosing the length of a batch, not results. The readings are few, so the granularity may
    /// be a multiple of the true one; ticks of a fraction of a nanosecond are hidden by a clock that counts
    /// whole nanoseconds.
    ///
    /// # Cost
    ///
    /// A few microseconds.
    #[must_use]
    #[inline]
    pub fn resolution(&self) -> Resolution {
        let mut regions = [0; 64];
        let mut granularity = 0;
        let mut last = self.start();
        for region in &mut regions {
            let before = self.start();
            let after = self.stop();
            granularity = greatest_common_divisor(granularity, before.0.abs_diff(last.0));
            granularity = greatest_common_divisor(granularity, after.0.abs_diff(before.0));
            // A region of negative length counts as empty; the granularity has seen the step.
            *region = after.0.saturating_sub(before.0);
            last = after;
        }
        regions.sort_unstable();
        Resolution {
            granularity: Ticks(granularity),
            empty_region: Ticks(regions[regions.len() / 2]),
        }
    }
}
