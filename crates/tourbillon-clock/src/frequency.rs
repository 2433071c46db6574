//! How many ticks make a second, and the exact way from ticks to time and back.

use crate::{Error, FrequencyFrom, Ticks};

/// Nanoseconds in a second.
const NANOS: u128 = 1_000_000_000;
/// Picoseconds in a second.
const PICOS: u128 = 1_000_000_000_000;

/// A clock's ticks per second as an exact fraction, and where it comes from.
///
/// Conversions divide once, at the end, in 128 bits: they neither overflow for the counter of a
/// machine that has been up for years nor lose the fraction of a rate that does not divide a
/// second.
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
    /// Who says so.
    pub from: FrequencyFrom,
    /// Bound of the difference between this figure and the rate that the operating system's clock
    /// gives the counter, in parts per million; `None` where its origin states none.
    pub error_ppm: Option<f64>,
}

impl Frequency {
    /// `numerator / denominator` ticks per second, in lowest terms.
    ///
    /// # Errors
    ///
    /// Where one of the two is zero.
    pub fn new(
        numerator: u64,
        denominator: u64,
        from: FrequencyFrom,
        error_ppm: Option<f64>,
    ) -> Result<Frequency, Error> {
        if numerator == 0 || denominator == 0 {
            return Err(Error::zero_frequency(numerator, denominator));
        }
        let common = greatest_common_divisor(numerator, denominator);
        Ok(Frequency {
            numerator: numerator / common,
            denominator: denominator / common,
            from,
            error_ppm,
        })
    }

    /// A whole number of kilohertz that was cut or rounded to it, so that it is off by less than
    /// one; `None` for zero and for what does not fit.
    #[cfg(any(target_arch = "x86_64", test))]
    pub(crate) fn from_khz(khz: u64, from: FrequencyFrom) -> Option<Frequency> {
        let hz = khz.checked_mul(1_000)?;
        Frequency::new(hz, 1, from, Some(1e6 / khz as f64)).ok()
    }

    /// The rate of a clock that counts nanoseconds.
    pub fn of_nanoseconds() -> Frequency {
        Frequency {
            numerator: 1_000_000_000,
            denominator: 1,
            from: FrequencyFrom::Definition,
            error_ppm: Some(0.0),
        }
    }

    /// Ticks per second, rounded to the nearest number that an `f64` holds.
    #[must_use]
    pub fn hz(&self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// `ticks` in nanoseconds.
    ///
    /// # Accuracy
    ///
    /// The quotient is exact up to its last bits: the whole nanoseconds are computed as an integer
    /// and the rest as a fraction, so that the result is within one unit in the last place whatever
    /// the size of `ticks`.
    #[must_use]
    pub fn nanos(&self, ticks: Ticks) -> f64 {
        let (whole, rest) = self.divide(ticks, NANOS);
        whole as f64 + rest as f64 / self.numerator as f64
    }

    /// `ticks` in thousandths of a nanosecond (picoseconds), rounded to the nearest.
    #[must_use]
    pub fn nanos_exact(&self, ticks: Ticks) -> u128 {
        let (whole, rest) = self.divide(ticks, PICOS);
        whole.saturating_add(u128::from(rest >= self.numerator - self.numerator / 2))
    }

    /// How many ticks fit best into `nanos` nanoseconds: rounded to the nearest, and
    /// `u64::MAX` where they do not fit into a counter.
    #[must_use]
    pub fn ticks_in(&self, nanos: u64) -> Ticks {
        let dividend = u128::from(nanos) * u128::from(self.numerator);
        let divisor = u128::from(self.denominator) * NANOS;
        let (whole, rest) = (dividend / divisor, dividend % divisor);
        let rounded = whole + u128::from(rest >= divisor - divisor / 2);
        Ticks(u64::try_from(rounded).unwrap_or(u64::MAX))
    }

    /// `ticks` in units of which a second has `per_second`, at most 10^12: the whole ones, and the
    /// rest in parts of the numerator.
    ///
    /// In two steps, as `ticks * denominator * per_second` may exceed 128 bits: first whole
    /// seconds, then what is left, which is smaller than the numerator.
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

/// Euclid's algorithm; the other number where one of them is zero.
pub const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frequency(numerator: u64, denominator: u64) -> Frequency {
        Frequency::new(numerator, denominator, FrequencyFrom::Script, None).unwrap()
    }

    /// The quotient `ticks * factor / divisor` and its rest, bit by bit: slow, and obvious.
    fn oracle(ticks: u64, factor: u128, divisor: u128) -> (u128, u128) {
        (0..64).rev().fold((0, 0), |(quotient, rest), bit| {
            let sum = 2 * rest + factor * u128::from(ticks >> bit & 1);
            (2 * quotient + sum / divisor, sum % divisor)
        })
    }

    /// Counters whose rate does not divide a second, and the fractions of CPUID leaf 15h.
    const RATES: [(u64, u64); 12] = [
        (1_000_000_000, 1),
        (2_596_106_000, 1),
        (2_600_000_000, 1),
        (3_579_545, 1),
        (14_318_180, 1),
        (19_200_000, 1),
        (24_000_000, 1),
        (10_000_000, 1),
        (1, 1),
        (4_800_000_000, 7),
        (u64::MAX, 4_294_967_291),
        (3, 125),
    ];

    #[test]
    fn conversions_agree_with_the_oracle() {
        let mut ticks = 1_u64;
        for round in 0..2_000 {
            ticks = ticks
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695);
            let ticks = Ticks(ticks >> (round % 64));
            for (numerator, denominator) in RATES {
                let frequency = frequency(numerator, denominator);
                let (whole, rest) = oracle(
                    ticks.0,
                    u128::from(denominator) * PICOS,
                    u128::from(numerator),
                );
                let nearest = whole + u128::from(2 * rest >= u128::from(numerator));
                assert_eq!(
                    frequency.nanos_exact(ticks),
                    nearest,
                    "{ticks:?} at {frequency:?}"
                );
                let exact = nearest as f64 / 1e3;
                let nanos = frequency.nanos(ticks);
                assert!(
                    (nanos - exact).abs() <= exact * 1e-15 + 0.000_51,
                    "{nanos} and {exact}"
                );
            }
        }
    }

    #[test]
    fn every_rate_up_to_ten_gigahertz_is_exact_at_both_ends_of_a_counter() {
        let mut state = 7_u64;
        for round in 0..20_000_u64 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695);
            // All orders of magnitude, and all the low rates one by one.
            let hz = match round {
                0..1_000 => round + 1,
                1_000 => 10_000_000_000,
                _ => 1 + (state >> 16) % 10_u64.pow(1 + (round % 10) as u32),
            };
            let frequency = frequency(hz, 1);
            for ticks in [0, 1, u64::MAX] {
                let (whole, rest) = oracle(ticks, PICOS, u128::from(hz));
                let nearest = whole + u128::from(2 * rest >= u128::from(hz));
                assert_eq!(
                    frequency.nanos_exact(Ticks(ticks)),
                    nearest,
                    "{ticks} at {hz}"
                );
            }
        }
    }

    #[test]
    fn periods_at_which_another_library_overflowed_are_right() {
        // STLSoft 1.11 guards a product with 10^9 by the limit of one with 10^6, and multiplies by
        // 10^8 beyond it: 9.23e9 counts are 923 s at 10 MHz and 3.08 s at 3 GHz.
        for (hz, ns) in [
            (10_000_000, 923_000_000_000_u128),
            (3_000_000_000, 3_076_666_666),
        ] {
            let exact = frequency(hz, 1).nanos_exact(Ticks(9_230_000_000));
            assert_eq!(exact / 1_000, ns, "{hz}");
        }
        // Its totals of processor times divide microseconds by 10^7 for seconds, ten times too many.
        assert_eq!(frequency(1_000_000, 1).nanos(Ticks(2_500_000)), 2.5e9);
        // 9 223 372 036 854 776 microseconds and more do not fit into its 64 bits as nanoseconds.
        let long = frequency(1_000_000, 1).nanos_exact(Ticks(u64::MAX));
        assert_eq!(long, u128::from(u64::MAX) * 1_000_000);
    }

    #[test]
    fn a_whole_number_of_seconds_of_ticks_is_exactly_that() {
        // Integer factors, as others have used them, are 1307, 12 046, 1600 and 16 000 ppm off.
        for hz in [
            3_579_545, 14_318_180, 19_200_000, 24_000_000, 2_143_477, 2_728_067,
        ] {
            let frequency = frequency(hz, 1);
            assert_eq!(
                frequency.nanos_exact(Ticks(hz * 3_600)),
                3_600_000_000_000_000,
                "{hz}"
            );
            assert!((frequency.nanos(Ticks(hz)) - 1e9).abs() < 1e-6, "{hz}");
            assert_eq!(frequency.ticks_in(1_000_000_000), Ticks(hz), "{hz}");
        }
    }

    #[test]
    fn counts_that_overflowed_elsewhere_do_not() {
        // 32-bit products of cycles: 1.8e10 at 3.2 GHz is 5.625 s.
        let fast = frequency(3_200_000_000, 1);
        assert_eq!(fast.nanos_exact(Ticks(18_000_000_000)), 5_625_000_000_000);
        // 64-bit products with 1e9 end at 9.22e9 counts: 922 s at 10 MHz.
        let slow = frequency(10_000_000, 1);
        assert_eq!(slow.nanos_exact(Ticks(9_223_372_037)), 922_337_203_700_000);
        // A counter of one GHz that is at its end: 584 years.
        let nanos = frequency(1_000_000_000, 1);
        assert_eq!(
            nanos.nanos_exact(Ticks(u64::MAX)),
            u128::from(u64::MAX) * 1_000
        );
    }

    #[test]
    fn one_tick_counts_after_forty_days() {
        // Beyond 2^53 ticks an `f64` of them is blind to one.
        let frequency = frequency(2_600_000_000, 1);
        let forty_days = 2_600_000_000 * 86_400 * 40;
        let before = frequency.nanos_exact(Ticks(forty_days));
        assert_eq!(frequency.nanos_exact(Ticks(forty_days + 1)) - before, 385);
        assert_eq!(before, 86_400 * 40 * PICOS);
    }

    #[test]
    fn a_period_of_a_fraction_of_a_nanosecond_is_not_zero() {
        assert_eq!(frequency(24_000_000, 1).nanos_exact(Ticks(3)), 125_000);
        assert_eq!(frequency(3, 125).ticks_in(125_000_000_000), Ticks(3));
    }

    #[test]
    fn ticks_in_rounds_to_the_nearest_and_saturates() {
        let frequency = frequency(2_600_000_000, 1);
        assert_eq!(frequency.ticks_in(0), Ticks(0));
        assert_eq!(frequency.ticks_in(1), Ticks(3));
        assert_eq!(frequency.ticks_in(2), Ticks(5));
        assert_eq!(frequency.ticks_in(100_000), Ticks(260_000));
        assert_eq!(frequency.ticks_in(u64::MAX), Ticks(u64::MAX));
    }

    #[test]
    fn there_and_back_is_within_half_a_nanosecond() {
        let frequency = frequency(2_596_106_000, 1);
        let mut ticks = 1_u64;
        while ticks < 1 << 50 {
            let nanos = frequency.nanos(Ticks(ticks)).round() as u64;
            let back = frequency.ticks_in(nanos).signed_since(Ticks(ticks));
            assert!(back.abs() <= 2, "{ticks} came back {back} off");
            ticks = ticks * 7 / 5 + 1;
        }
    }

    #[test]
    fn fractions_are_reduced_and_zeros_refused() {
        let reduced = frequency(5_000_000_000, 2_000_000);
        assert_eq!((reduced.numerator, reduced.denominator), (2_500, 1));
        for (numerator, denominator) in [(0, 1), (1, 0), (0, 0)] {
            let refused = Frequency::new(numerator, denominator, FrequencyFrom::Script, None);
            assert!(refused.is_err_and(|error| error.is_zero_frequency()));
        }
        assert_eq!(Frequency::from_khz(0, FrequencyFrom::Sysfs), None);
        assert_eq!(Frequency::from_khz(u64::MAX, FrequencyFrom::Sysfs), None);
    }
}
