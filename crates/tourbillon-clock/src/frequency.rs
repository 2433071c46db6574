//! Ticks, how many make a second, and the exact conversion to time and back.

use std::fmt;

use crate::error::{Error, Kind};

/// A reading of a [`Clock`](crate::Clock), or a difference of two, in the clock's own unit.
///
/// Ticks have a meaning only with the clock that they came from; [`Frequency`] converts them to time.
///
/// # Examples
///
/// ```
/// use tourbillon_clock::Ticks;
///
/// assert_eq!(Ticks(7).since(Ticks(5)), Some(Ticks(2)));
/// assert_eq!(Ticks(5).since(Ticks(7)), None);
/// assert_eq!(Ticks(5).signed_since(Ticks(7)), -2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Ticks(pub u64);

impl Ticks {
    /// The ticks from `earlier` to `self`, or `None` if the clock went backwards.
    ///
    /// A negative difference is never turned into zero: it is a fact about the clock (a step, a counter
    /// that differs between cores, a wrap), and the caller has to handle it.
    #[inline(always)]
    #[must_use]
    pub const fn since(self, earlier: Ticks) -> Option<Ticks> {
        match self.0.checked_sub(earlier.0) {
            Some(difference) => Some(Ticks(difference)),
            None => None,
        }
    }

    /// The ticks from `earlier` to `self`, negative if the clock went backwards.
    #[inline]
    #[must_use]
    pub const fn signed_since(self, earlier: Ticks) -> i128 {
        self.0 as i128 - earlier.0 as i128
    }
}

/// Where a frequency comes from.
///
/// For the time stamp counter in the order in which the sources are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrequencyFrom {
    /// The clock counts nanoseconds.
    Definition,
    /// The script of a scripted clock.
    Script,
    /// `cntfrq_el0`, in which the firmware states the counter's rate.
    CounterRegister,
    /// A register of the device that counts.
    DeviceRegister,
    /// CPUID leaf 15h: the crystal's rate and the counter's ratio to it.
    CpuidLeaf15,
    /// CPUID leaf 40000010h, in which a hypervisor states the rate in kHz.
    HypervisorLeaf,
    /// `bogomips` and `cpu MHz` of `/proc/cpuinfo`, if they agree and the kernel did not calibrate them.
    CpuInfo,
    /// `/sys/devices/system/cpu/cpu0/tsc_freq_khz`.
    Sysfs,
    /// The conversion in the page of every perf event.
    PerfPage,
    /// Bracketed readings of the counter and the operating system's clock.
    Measured,
    /// None: the counter could not be measured either, because it stands still or jumps. A tick per
    /// nanosecond is assumed, so that budgets end.
    Assumed,
}

impl fmt::Display for FrequencyFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FrequencyFrom::Definition => "definition of the clock",
            FrequencyFrom::Script => "script",
            FrequencyFrom::CounterRegister => "cntfrq_el0",
            FrequencyFrom::DeviceRegister => "register of the device",
            FrequencyFrom::PerfPage => "perf event page",
            FrequencyFrom::CpuidLeaf15 => "cpuid leaf 15h",
            FrequencyFrom::HypervisorLeaf => "cpuid leaf 40000010h",
            FrequencyFrom::CpuInfo => "/proc/cpuinfo",
            FrequencyFrom::Sysfs => "tsc_freq_khz",
            FrequencyFrom::Measured => "measured",
            FrequencyFrom::Assumed => "assumed",
        })
    }
}

/// Nanoseconds in a second.
const NANOS: u128 = 1_000_000_000;
/// Picoseconds in a second.
const PICOS: u128 = 1_000_000_000_000;

/// A clock's ticks per second as an exact fraction, and where it comes from.
///
/// Conversions divide once, at the end, in 128 bits: they do not overflow for the counter of a machine
/// that has been up for years, and keep the fraction of a rate that does not divide a second.
///
/// # Examples
///
/// ```
/// use tourbillon_clock::{Frequency, FrequencyFrom, Ticks};
///
/// // The counter of Apple's processors: 24 MHz, 41 2/3 ns a tick.
/// let clock = Frequency::new(24_000_000, 1, FrequencyFrom::CounterRegister, None)?;
/// assert_eq!(clock.nanos_exact(Ticks(3)), 125_000);
/// assert_eq!(clock.nanos(Ticks(3)), 125.0);
/// assert_eq!(clock.ticks_in(125), Ticks(3));
/// # Ok::<(), tourbillon_clock::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Frequency {
    /// Ticks in [`denominator`](Frequency::denominator) seconds. Never zero.
    pub numerator: u64,
    /// Seconds in which the clock ticks [`numerator`](Frequency::numerator) times. Never zero.
    pub denominator: u64,
    /// Where it comes from.
    pub from: FrequencyFrom,
    /// Bound of the difference between this figure and the counter's rate by the operating system's
    /// clock, in parts per million; `None` if its origin states none.
    pub error_ppm: Option<f64>,
}

impl Frequency {
    /// `numerator / denominator` ticks per second, in lowest terms.
    ///
    /// # Errors
    ///
    /// If one of the two is zero.
    pub fn new(
        numerator: u64,
        denominator: u64,
        from: FrequencyFrom,
        error_ppm: Option<f64>,
    ) -> Result<Frequency, Error> {
        if numerator == 0 || denominator == 0 {
            return Err(Error(Kind::ZeroFrequency(numerator, denominator)));
        }
        let common = greatest_common_divisor(numerator, denominator);
        Ok(Frequency {
            numerator: numerator / common,
            denominator: denominator / common,
            from,
            error_ppm,
        })
    }

    /// A truncated or rounded number of kilohertz, off by less than one; `None` for zero and for a
    /// number that does not fit.
    #[cfg(any(target_arch = "x86_64", test))]
    pub(crate) fn from_khz(khz: u64, from: FrequencyFrom) -> Option<Frequency> {
        let hz = khz.checked_mul(1_000)?;
        Frequency::new(hz, 1, from, Some(1e6 / khz as f64)).ok()
    }

    /// The rate of a clock that counts nanoseconds.
    #[must_use]
    pub fn of_nanoseconds() -> Frequency {
        Frequency {
            numerator: 1_000_000_000,
            denominator: 1,
            from: FrequencyFrom::Definition,
            error_ppm: Some(0.0),
        }
    }

    /// Ticks per second, rounded to the nearest `f64`.
    #[must_use]
    pub fn hz(&self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// `ticks` in nanoseconds.
    ///
    /// # Accuracy
    ///
    /// Within one unit in the last place, whatever the size of `ticks`: the whole nanoseconds are computed
    /// as an integer and the rest as a fraction.
    #[must_use]
    pub fn nanos(&self, ticks: Ticks) -> f64 {
        let (whole, rest) = self.divide(ticks, NANOS);
        whole as f64 + rest as f64 / self.numerator as f64
    }

    /// `ticks` in picoseconds, rounded to the nearest.
    #[must_use]
    pub fn nanos_exact(&self, ticks: Ticks) -> u128 {
        let (whole, rest) = self.divide(ticks, PICOS);
        whole.saturating_add(u128::from(rest >= self.numerator - self.numerator / 2))
    }

    /// Ticks in `nanos` nanoseconds, rounded to the nearest; `u64::MAX` if they do not fit.
    #[must_use]
    pub fn ticks_in(&self, nanos: u64) -> Ticks {
        let dividend = u128::from(nanos) * u128::from(self.numerator);
        let divisor = u128::from(self.denominator) * NANOS;
        let (whole, rest) = (dividend / divisor, dividend % divisor);
        let rounded = whole + u128::from(rest >= divisor - divisor / 2);
        Ticks(u64::try_from(rounded).unwrap_or(u64::MAX))
    }

    /// `ticks` in units of which a second has `per_second`, at most 10^12: the whole ones, and the rest
    /// in parts of the numerator.
    ///
    /// In two steps, because `ticks * denominator * per_second` may exceed 128 bits: first whole seconds,
    /// then the rest, which is smaller than the numerator.
    fn divide(&self, ticks: Ticks, per_second: u128) -> (u128, u64) {
        let numerator = u128::from(self.numerator);
        let seconds = u128::from(ticks.0) * u128::from(self.denominator);
        let left = seconds % numerator * per_second;
        // Only a clock that ticks less than once in 10^8 years can saturate.
        let whole = (seconds / numerator)
            .saturating_mul(per_second)
            .saturating_add(left / numerator);
        (whole, (left % numerator) as u64)
    }
}

/// Euclid's algorithm; the other number if one of them is zero.
pub(crate) const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_exact_over_the_whole_range() {
        assert_eq!(Ticks(u64::MAX).since(Ticks(0)), Some(Ticks(u64::MAX)));
        assert_eq!(Ticks(3).since(Ticks(3)), Some(Ticks(0)));
        assert_eq!(Ticks(u64::MAX).signed_since(Ticks(0)), i128::from(u64::MAX));
    }

    #[test]
    fn a_negative_difference_is_not_hidden() {
        assert_eq!(Ticks(0).since(Ticks(1)), None);
        let difference = Ticks(0).signed_since(Ticks(u64::MAX));
        assert_eq!(difference, -i128::from(u64::MAX));
    }

    #[test]
    fn a_frequency_in_kilohertz_has_to_fit() {
        assert_eq!(Frequency::from_khz(0, FrequencyFrom::Sysfs), None);
        assert_eq!(Frequency::from_khz(u64::MAX, FrequencyFrom::Sysfs), None);
    }
}
