use std::num::NonZeroU64;

use tourbillon_record::{ClockCheck, ClockFacts};

/// Largest error assumed of a clock whose error is not known, in parts per million: the rate at
/// which a system may slew its monotonic clock (`adjtimex(2)`: 500 ppm).
pub(crate) const UNKNOWN_ERROR_PPM: f64 = 500.0;

/// How far the measuring clock and the system's may be apart over a run before no time is known, beyond
/// what their errors explain, in parts per million. A system's clock that is corrected runs at most
/// [`UNKNOWN_ERROR_PPM`] off; the frequency may have been taken while it ran as much off the other way.
const DISAGREEMENT_PPM: f64 = 2.0 * UNKNOWN_ERROR_PPM;

/// Ticks per second of the measuring clock, exactly, and how wrong that may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frequency {
    /// Numerator of the ticks per second.
    pub numerator: NonZeroU64,
    /// Denominator of the ticks per second.
    pub denominator: NonZeroU64,
    /// Bound of the error in parts per million, where it is known.
    pub error_ppm: Option<f64>,
}

impl Frequency {
    /// The frequency that stands in a header; `None` when one of its two numbers is zero.
    pub fn of(facts: &ClockFacts) -> Option<Frequency> {
        Some(Frequency {
            numerator: NonZeroU64::new(facts.hz_numerator)?,
            denominator: NonZeroU64::new(facts.hz_denominator)?,
            error_ppm: facts.frequency_error_ppm,
        })
    }

    /// Ticks per second, rounded.
    pub fn hz(&self) -> u64 {
        let (numerator, denominator) = (self.numerator.get(), self.denominator.get());
        (numerator / denominator + u64::from(numerator % denominator >= denominator.div_ceil(2)))
            .max(1)
    }

    /// Whole nanoseconds in so many ticks, rounded down; exact up to the end of a `u64`.
    pub fn nanos(&self, ticks: u64) -> u64 {
        let product = u128::from(ticks) * u128::from(self.denominator.get());
        // Less than 2^128 / 2^30 before the multiplication, or the answer does not fit anyway.
        match product.checked_mul(1_000_000_000) {
            Some(scaled) => {
                u64::try_from(scaled / u128::from(self.numerator.get())).unwrap_or(u64::MAX)
            }
            None => u64::MAX,
        }
    }

    /// The deviation of a check in parts per million, where it is more than errors and corrections of
    /// the system's clock explain: then it is unknown which of the two clocks is right.
    pub fn disagreement(&self, check: &ClockCheck) -> Option<f64> {
        let explained = DISAGREEMENT_PPM + check.bound_ppm + 1e6 * self.relative_error();
        (check.deviation_ppm.abs() > explained).then_some(check.deviation_ppm)
    }

    /// Nanoseconds in a tick, to the precision of an `f64`.
    pub(crate) fn nanos_per_tick(&self) -> f64 {
        1e9 * self.denominator.get() as f64 / self.numerator.get() as f64
    }

    /// Largest relative error of a time converted with this frequency.
    pub(crate) fn relative_error(&self) -> f64 {
        let ppm = match self.error_ppm {
            Some(known) if known.is_finite() => known.abs(),
            _ => UNKNOWN_ERROR_PPM,
        };
        ppm * 1e-6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frequency(numerator: u64, denominator: u64) -> Frequency {
        Frequency {
            numerator: NonZeroU64::new(numerator).unwrap(),
            denominator: NonZeroU64::new(denominator).unwrap(),
            error_ppm: None,
        }
    }

    #[test]
    fn ticks_become_nanoseconds_exactly() {
        assert_eq!(
            frequency(2_600_000_000, 1).nanos(2_600_000_000),
            1_000_000_000
        );
        assert_eq!(frequency(2_600_000_000, 1).nanos(13), 5);
        assert_eq!(frequency(1_000_000_000, 1).nanos(u64::MAX), u64::MAX);
        assert_eq!(
            frequency(3_579_545, 1).nanos(3_579_545 * 86_400),
            86_400_000_000_000
        );
        // 2.6 GHz for 200 years: a product of 64 bits would have overflowed after seconds.
        let year = 31_557_600;
        assert_eq!(
            frequency(2_600_000_000, 1).nanos(2_600_000_000 * year * 200),
            1_000_000_000 * year * 200
        );
        assert_eq!(frequency(1, u64::MAX).nanos(u64::MAX), u64::MAX);
    }

    #[test]
    fn a_rational_frequency_is_rounded_for_deadlines() {
        assert_eq!(frequency(25_000_000, 2).hz(), 12_500_000);
        assert_eq!(frequency(7, 2).hz(), 4);
        assert_eq!(frequency(1, 1000).hz(), 1);
        assert_eq!(frequency(25_000_000, 2).nanos(12_500_000), 1_000_000_000);
    }

    #[test]
    fn corrections_of_the_system_clock_are_no_disagreement() {
        let check = |deviation_ppm, bound_ppm| ClockCheck {
            deviation_ppm,
            bound_ppm,
            baseline_ns: 1_000_000_000,
        };
        let mut clock = frequency(1_000_000_000, 1);
        clock.error_ppm = Some(0.4);
        assert_eq!(clock.disagreement(&check(-1_000.0, 0.1)), None);
        assert_eq!(clock.disagreement(&check(5_000.0, 4_500.0)), None);
        let faked = clock.disagreement(&check(-47_619.0, 0.1));
        assert_eq!(faked, Some(-47_619.0));
        assert_eq!(clock.disagreement(&check(1_002.0, 0.1)), Some(1_002.0));
        // A clock that does not know its error may be off by as much as a corrected one.
        clock.error_ppm = None;
        assert_eq!(clock.disagreement(&check(1_400.0, 0.1)), None);
        assert!(clock.disagreement(&check(1_600.0, 0.1)).is_some());
    }

    #[test]
    fn an_unknown_error_is_not_taken_for_none() {
        let mut known = frequency(1, 1);
        assert!(known.relative_error() > 4e-4);
        known.error_ppm = Some(0.4);
        assert!((known.relative_error() - 4e-7).abs() < 1e-12);
        known.error_ppm = Some(f64::NAN);
        assert!(known.relative_error() > 4e-4);
    }
}
