//! The clock that samples are read from.

use crate::counter::Counter;
#[cfg(feature = "script")]
use crate::script::Script;
use crate::{Error, Frequency, Regions, Ticks, frequency_sources, os};

/// A time source that is being read.
///
/// [`Clock::choose`] finds the best one the machine has; [`Clock::by_name`] takes the one that
/// somebody else has chosen.
///
/// # Accuracy
///
/// Regions are timed from [`start`](Clock::start) to [`stop`](Clock::stop): everything before the
/// start has executed when the clock is read, nothing of the region starts earlier, everything in
/// it has executed when the clock is read again. Stores may still be on their way to the cache at
/// the stop; whoever wants them inside must read them back or fence them in the region. What the
/// two readings themselves leave inside the region is stated by
/// [`resolution`](Clock::resolution) and cancels between two regions of different length.
///
/// # Cost
///
/// One compare that always goes the same way in front of the counter's instructions, without
/// anything else for a counter; a call for the other sources.
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
    /// Readings that a test has laid down.
    #[cfg(feature = "script")]
    Scripted(Script),
    /// Another clock, and somebody who is told of the regions.
    Watched(&'static Clock, &'static dyn Regions),
}

/// Name of the operating system's clock.
const OS_NAME: &str = "monotonic";

impl Clock {
    /// The clock of that name: `tsc` (x86-64), `cntvct` (64-bit Arm) or `monotonic` (everywhere).
    ///
    /// Runs no tests and costs nothing: a worker is told which clock its coordinator has chosen.
    ///
    /// # Errors
    ///
    /// Where no source has that name, and where this processor does not have the source.
    pub fn by_name(name: &str) -> Result<Clock, Error> {
        match name {
            OS_NAME => Ok(Clock::os()),
            "tsc" => Clock::counter("tsc", "it is a counter of x86-64 processors"),
            "cntvct" => Clock::counter("cntvct", "it is a counter of 64-bit Arm processors"),
            _ => Err(Error::unknown_name(name)),
        }
    }

    /// A clock whose readings are those that `script` lays down.
    #[cfg(feature = "script")]
    #[must_use]
    pub fn scripted(script: &Script) -> Clock {
        Clock {
            source: Source::Scripted(script.clone()),
        }
    }

    /// The operating system's clock, which tells somebody where the timed regions begin and end.
    ///
    /// # Accuracy
    ///
    /// What is told takes its time: readings are good for deadlines, not for figures.
    #[inline]
    #[must_use]
    pub fn watched(regions: &'static dyn Regions) -> Clock {
        Clock::os().telling(regions)
    }

    /// This clock, telling somebody where the timed regions begin and end.
    ///
    /// # Accuracy
    ///
    /// What is told at [`begin`](Regions::begin) and [`end`](Regions::end) stands inside the region for
    /// this clock: it takes its time, the same for a region of any length.
    ///
    /// # Cost
    ///
    /// Some bytes that are not given back before the process ends: no other clock has to be torn down
    /// for the sake of this one.
    #[inline]
    #[must_use]
    pub fn telling(self, regions: &'static dyn Regions) -> Clock {
        Clock {
            source: Source::Watched(Box::leak(Box::new(self)), regions),
        }
    }

    fn counter(name: &'static str, whose: &'static str) -> Result<Clock, Error> {
        match Counter::of_this_processor() {
            Some(counter) if Counter::NAME == name => Ok(Clock {
                source: Source::Counter(counter),
            }),
            _ => Err(Error::unavailable(name, whose)),
        }
    }

    pub(crate) fn os() -> Clock {
        Clock { source: Source::Os }
    }

    /// Name of the source, as [`by_name`](Clock::by_name) takes it; a scripted clock is called
    /// `scripted`.
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

    /// Reads the clock without ordering it against the code around it.
    ///
    /// The cheapest reading, right for stamps and budgets; it may be off by what the processor has
    /// in flight, some hundred instructions.
    #[inline(always)]
    #[must_use]
    pub fn now(&self) -> Ticks {
        match &self.source {
            Source::Counter(counter) => counter.now(),
            _ => self.now_by_call(),
        }
    }

    // One copy each, so that a timed loop holds the counter's instructions and one call.
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
    fn now_by_call(&self) -> Ticks {
        match &self.source {
            #[cfg(feature = "script")]
            Source::Scripted(script) => script.read_now(),
            Source::Watched(clock, _) => clock.now(),
            Source::Counter(_) | Source::Os => Ticks(os::monotonic_ns()),
        }
    }

    /// How many ticks make a second.
    ///
    /// For the TSC, the first of these that the machine states: CPUID leaf 15h, the hypervisor's
    /// leaf 40000010h, `/proc/cpuinfo`, `tsc_freq_khz` in sysfs, the kernel's conversion in the
    /// page of a perf event. Only where there is none of them is the rate measured, which waits
    /// for a millisecond. The other clocks state theirs by definition or in a register.
    ///
    /// # Cost
    ///
    /// Some system calls and, in a virtual machine, exits to the hypervisor: 10 to 200 us. Ask once
    /// and keep the answer.
    #[must_use]
    pub fn frequency(&self) -> Frequency {
        match &self.source {
            Source::Counter(_) => frequency_sources::counter_frequency(self),
            Source::Os => Frequency::of_nanoseconds(),
            Source::Watched(clock, _) => clock.frequency(),
            #[cfg(feature = "script")]
            Source::Scripted(script) => script.frequency(),
        }
    }

    /// The script behind a scripted clock.
    #[cfg(feature = "script")]
    pub(crate) fn script(&self) -> Option<&Script> {
        match &self.source {
            Source::Scripted(script) => Some(script),
            _ => None,
        }
    }

    /// Whether somebody is told of the regions.
    #[cfg(all(
        target_arch = "x86_64",
        any(target_os = "linux", target_os = "android")
    ))]
    pub(crate) fn is_watched(&self) -> bool {
        matches!(self.source, Source::Watched(..))
    }

    /// Whether this is the processor's own counter.
    pub fn is_counter(&self) -> bool {
        matches!(self.source, Source::Counter(_))
    }
}
