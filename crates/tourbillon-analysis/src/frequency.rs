//! The frequency of the measuring clock: from ticks to nanoseconds.

use std::num::NonZeroU64;

use tourbillon_record::{Absence, CaseResult, ClockCheck, ClockFacts, Metric, Note};

/// Error assumed for a clock whose error is unknown, in parts per million: the rate at which a system may
/// slew its monotonic clock (`adjtimex(2)`: 500 ppm).
pub(crate) const UNKNOWN_ERROR_PPM: f64 = 500.0;

/// How far the measuring clock and the system's clock may drift apart over a run, beyond their errors,
/// before all times are void, in parts per million. A system's clock under correction is at most
/// [`UNKNOWN_ERROR_PPM`] off; the frequency may have been measured while it was off by as much the other way.
const DISAGREEMENT_PPM: f64 = 2.0 * UNKNOWN_ERROR_PPM;

/// Ticks per second of the measuring clock as an exact ratio, and its error.
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
    /// The frequency in a header; `None` when one of its two numbers is zero.
    pub fn of(facts: &ClockFacts) -> Option<Frequency> {
        Some(Frequency {
            numerator: NonZeroU64::new(facts.hz_numerator)?,
            denominator: NonZeroU64::new(facts.hz_denominator)?,
            error_ppm: facts.frequency_error_ppm,
        })
    }

    /// Ticks per second, rounded, at least 1.
    pub fn hz(&self) -> u64 {
        let (numerator, denominator) = (self.numerator.get(), self.denominator.get());
        let rounded_up = numerator % denominator >= denominator.div_ceil(2);
        (numerator / denominator + u64::from(rounded_up)).max(1)
    }

    /// Nanoseconds in this many ticks, rounded down; saturates at the end of a `u64`.
    pub fn nanos(&self, ticks: u64) -> u64 {
        let product = u128::from(ticks) * u128::from(self.denominator.get());
        // A product that overflows here is more than a u64 of nanoseconds anyway.
        let scaled = product.saturating_mul(1_000_000_000);
        u64::try_from(scaled / u128::from(self.numerator.get())).unwrap_or(u64::MAX)
    }

    /// The deviation of a check in parts per million, if errors and corrections of the system's clock do not
    /// explain it: then it is unknown which of the two clocks is right.
    pub fn disagreement(&self, check: &ClockCheck) -> Option<f64> {
        let explained = DISAGREEMENT_PPM + check.bound_ppm + 1e6 * self.relative_error();
        (check.deviation_ppm.abs() > explained).then_some(check.deviation_ppm)
    }

    /// Nanoseconds in a tick.
    pub fn nanos_per_tick(&self) -> f64 {
        1e9 * self.denominator.get() as f64 / self.numerator.get() as f64
    }

    /// Largest relative error of a time converted with this frequency.
    pub fn relative_error(&self) -> f64 {
        let known = self.error_ppm.filter(|ppm| ppm.is_finite());
        known.map_or(UNKNOWN_ERROR_PPM, f64::abs) * 1e-6
    }
}

/// Removes the times from the results of a case of a run whose measuring clock ran `ppm` parts per million
/// faster than the system's. Cycles stay: they are ticks divided by ticks, or counted. So do the notes, except
/// for those that give another time.
pub fn void_times(results: &mut [CaseResult], ppm: f64) {
    for result in results {
        let has_time = matches!(
            result.estimate,
            Ok(_) | Err(Absence::BelowResolution | Absence::TooScattered)
        );
        let is_time = result.metric == Metric::Time || result.metric.is_of_calls();
        if !is_time || !has_time {
            continue;
        }
        result.estimate = Err(Absence::ClocksDisagree);
        for time in [
            &mut result.lower,
            &mut result.upper,
            &mut result.confidence,
            &mut result.mean,
            &mut result.stddev,
            &mut result.mad,
            &mut result.fixed_cost,
            &mut result.first_call,
            &mut result.resolution,
        ] {
            *time = None;
        }
        result.systematic = 0.0;
        let names_a_time = |note: &Note| matches!(note, Note::Skewed | Note::Overlaps { .. });
        result.notes.retain(|note| !names_a_time(note));
        result.notes.push(Note::ClocksDisagree { ppm });
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
    fn an_unknown_error_is_not_zero() {
        let mut known = frequency(1, 1);
        assert!(known.relative_error() > 4e-4);
        known.error_ppm = Some(0.4);
        assert!((known.relative_error() - 4e-7).abs() < 1e-12);
        known.error_ppm = Some(f64::NAN);
        assert!(known.relative_error() > 4e-4);
    }
}
