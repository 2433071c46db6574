//! Where a counter's frequency is looked up, in the order of the cost of asking.
//!
//! The kernel uses the figures of the processor, of the hypervisor and of its own files for its own clock,
//! so each of them is at least as good as the conversion in a perf event's page. That page is for
//! processors whose counter the kernel had to calibrate.

#[cfg(target_arch = "x86_64")]
use crate::cpuid;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use crate::linux_frequency;
use crate::{Anchor, Clock, Frequency, FrequencyFrom, os};

/// A function that looks a frequency up.
type LookUp = fn() -> Option<Frequency>;

/// The sources that may state the frequency of this processor's counter.
const SOURCES: &[(FrequencyFrom, LookUp)] = &[
    #[cfg(target_arch = "x86_64")]
    (FrequencyFrom::CpuidLeaf15, cpuid::crystal_frequency),
    #[cfg(target_arch = "x86_64")]
    (FrequencyFrom::HypervisorLeaf, cpuid::hypervisor_frequency),
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    (FrequencyFrom::CpuInfo, linux_frequency::of_cpuinfo),
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    (FrequencyFrom::Sysfs, linux_frequency::of_sysfs),
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    (FrequencyFrom::PerfPage, linux_frequency::of_perf_page),
    #[cfg(target_arch = "aarch64")]
    (FrequencyFrom::CounterRegister, counter_register),
];

#[cfg(target_arch = "aarch64")]
fn counter_register() -> Option<Frequency> {
    let hz = crate::counter::Counter::of_this_processor()?.stated_hz();
    Frequency::new(hz, 1, FrequencyFrom::CounterRegister, None).ok()
}

impl Clock {
    /// Ticks per second.
    ///
    /// For the TSC, the first of these that the machine states: CPUID leaf 15h, the hypervisor's leaf
    /// 40000010h, `/proc/cpuinfo`, `tsc_freq_khz` in sysfs, the kernel's conversion in the page of a perf
    /// event. Only without any of them the rate is measured, which takes a millisecond. The other clocks
    /// state theirs by definition or in a register.
    ///
    /// # Cost
    ///
    /// A few system calls and, in a virtual machine, exits to the hypervisor: 10 to 200 us. Ask once and
    /// keep the result.
    #[must_use]
    pub fn frequency(&self) -> Frequency {
        #[cfg(feature = "script")]
        if let Some(script) = self.script() {
            return script.frequency();
        }
        if let Some(clock) = self.watched_clock() {
            return clock.frequency();
        }
        if !self.is_counter() {
            return Frequency::of_nanoseconds();
        }
        let stated = SOURCES.iter().find_map(|(_, look_up)| look_up());
        stated.or_else(|| measure(self)).unwrap_or(Frequency {
            from: FrequencyFrom::Assumed,
            error_ppm: None,
            ..Frequency::of_nanoseconds()
        })
    }

    /// The frequency of the processor's counter by each source, in the order in which
    /// [`frequency`](Clock::frequency) tries them, with a measurement at the end; `None` for a source that
    /// does not state it.
    ///
    /// # Cost
    ///
    /// That of [`frequency`](Clock::frequency), and at least a millisecond for the measurement.
    #[must_use]
    pub fn frequency_sources(&self) -> Vec<(FrequencyFrom, Option<Frequency>)> {
        let stated = SOURCES.iter().map(|&(from, look_up)| (from, look_up()));
        let measured = (FrequencyFrom::Measured, measure(self));
        stated.chain([measured]).collect()
    }
}

/// How long the counter is measured. With brackets of 30 ns the bound is 30 ppm.
const BASELINE_NS: u64 = 1_000_000;

/// How often the baseline is doubled if the reference is too coarse for it: up to 64 ms, four steps of the
/// coarsest reference.
const DOUBLINGS: u32 = 6;

/// Measures the counter for a millisecond of the reference clock; `None` if it stands still or jumps.
///
/// The bound is hard, and rough; the [`CrossCheck`](crate::CrossCheck) over the whole run gives a better
/// figure.
fn measure(clock: &Clock) -> Option<Frequency> {
    let first = Anchor::take(clock);
    let began = os::reference_ns();
    (0..=DOUBLINGS).find_map(|doubling| {
        let end = began.saturating_add(BASELINE_NS << doubling);
        let passed = passes(began, end, os::reference_ns);
        passed.then(|| Frequency::between(&first, &Anchor::take(clock)))?
    })
}

/// Readings without a step after which a clock stands still: half a second of them, and the coarsest steps are 16 ms.
const MOST_EQUAL: u32 = 1 << 24;

/// Reads a clock from a reading on until it is at an end; `false` where it steps back or stands still.
fn passes(began: u64, end: u64, mut read: impl FnMut() -> u64) -> bool {
    let (mut last, mut equal) = (began, 0);
    while last < end {
        let now = read();
        equal = if now == last { equal + 1 } else { 0 };
        if now < last || equal == MOST_EQUAL {
            return false;
        }
        last = now;
        std::hint::spin_loop();
    }
    true
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;
    use crate::counter::Counter;

    #[test]
    fn a_clock_that_stands_still_or_steps_back_is_not_waited_for() {
        let read = |readings: &'static [u64]| {
            let mut all = readings.iter().chain(readings.last().into_iter().cycle());
            move || *all.next().expect("endless")
        };
        assert!(passes(1, 9, read(&[1, 1, 4, 9])));
        assert!(passes(1, 9, read(&[20])));
        assert!(!passes(1, 9, read(&[1, 4, 3, 9])));
        assert!(!passes(1, 9, read(&[1, 4])));
        assert!(!passes(5, 9, read(&[4, 9])));
    }

    #[test]
    fn a_measured_frequency_has_a_bound() {
        let clock = Clock::by_name(Counter::NAME).unwrap();
        let measured = measure(&clock).unwrap();
        assert_eq!(measured.from, FrequencyFrom::Measured);
        assert!(measured.error_ppm.is_some_and(|ppm| ppm > 0.0));
    }
}
