//! Intervals, and those of a median.

use std::error::Error;
use std::fmt;

use crate::{Confidence, Sample};

/// A range that covers the true value with a known probability, as [`median_interval`] computes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end, included.
    pub lower: f64,
    /// Upper end, included.
    pub upper: f64,
    /// Lower bound of the actual coverage, between 0 and 1; at least the requested confidence.
    pub confidence: f64,
}

impl Interval {
    /// Whether the value lies in the interval, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// Half the distance between the ends.
    pub fn half_width(&self) -> f64 {
        (self.upper - self.lower) / 2.0
    }
}

/// An interval from the `rank`-th smallest to the `rank`-th largest value, 1 for the extremes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Depth {
    /// Rank of the ends, from 1.
    pub(crate) rank: u64,
    /// Probability that the true value lies beyond one given end.
    pub(crate) outside: f64,
}

impl Depth {
    /// The coverage of both ends together.
    pub(crate) fn confidence(self) -> f64 {
        1.0 - 2.0 * self.outside
    }
}

/// 2^-n, exactly; 0 where that is no normal number, from n = 1023 on.
pub(crate) fn one_half_to_the(n: u64) -> f64 {
    // The exponent of a normal f64 is stored with 1023 added to it, above 52 bits of fraction.
    f64::from_bits(1023_u64.saturating_sub(n) << 52)
}

/// Too few values for the requested confidence, such as for a [`median_interval`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFew {
    /// Number of values that are needed at least.
    pub needed: usize,
    /// Number of values there are.
    pub got: usize,
}

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} values are too few for an interval of this confidence; take at least {}",
            self.got, self.needed
        )
    }
}

impl Error for TooFew {}

/// Interval for the median of the distribution of the values: from the k-th smallest to the k-th
/// largest value, with the largest k that gives the requested confidence.
///
/// The values must be independent; nothing else is assumed. Launches of a case are independent,
/// batches of one process are not. The coverage is 1 - 2 P(B < k) with B binomial of n and 1/2
/// for a continuous distribution, and at least that where values tie (David and Nagaraja, Order
/// Statistics, 3rd ed. 2003, section 7.1).
///
/// # Errors
///
/// [`TooFew`] if the interval from smallest to largest covers too seldom; 99 % needs 8 values,
/// 99.9 % needs 11.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Confidence, Sample, median_interval};
///
/// let twenty = Sample::new((1..=20).map(f64::from).collect())?;
/// let interval = median_interval(&twenty, Confidence::P99)?;
/// assert_eq!((interval.lower, interval.upper), (4.0, 17.0));
/// assert!((interval.confidence - 0.9974).abs() < 0.0001);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn median_interval(sample: &Sample, confidence: Confidence) -> Result<Interval, TooFew> {
    let values = sample.as_slice();
    let depth = binomial_depth(values.len() as u64, confidence).ok_or(TooFew {
        needed: confidence.values_needed(),
        got: values.len(),
    })?;
    let cut = depth.rank as usize - 1;
    Ok(Interval {
        lower: values[cut],
        upper: values[values.len() - 1 - cut],
        confidence: depth.confidence(),
    })
}

/// The widest interval for the median: from the smallest to the largest value, with confidence
/// 1 - 2^(1 - n); `None` for a single value.
///
/// A fallback where [`median_interval`] has too few values. The values must be independent.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Sample, widest_interval};
///
/// let interval = widest_interval(&Sample::new(vec![1.0, 2.0, 3.0])?).ok_or("one value")?;
/// assert_eq!((interval.lower, interval.upper, interval.confidence), (1.0, 3.0, 0.75));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn widest_interval(sample: &Sample) -> Option<Interval> {
    (sample.len() >= 2).then(|| Interval {
        lower: sample.min(),
        upper: sample.max(),
        confidence: 1.0 - one_half_to_the(sample.len() as u64 - 1),
    })
}

/// The largest rank k with P(B < k) at most half the error, B binomial of n and 1/2; `None` if
/// there is none.
///
/// The probability is a sum of binomial coefficients in floating point, each computed from the
/// previous one; the power of two is kept separately to avoid overflow. Up to n = 51 every step is
/// exact. Beyond that the largest possible rounding loss is added, so the coverage is never
/// overstated. The sum has fewer than n / 2 terms: a third of a millisecond for n = 100 000.
fn binomial_depth(n: u64, confidence: Confidence) -> Option<Depth> {
    /// Greatest n for which coefficients times n stay below 2^53.
    const EXACT: u64 = 51;
    /// The exponent that is moved out of a coefficient that has grown this large.
    const SHIFT: u64 = 64;
    const SHIFT_FACTOR: f64 = (1_u128 << SHIFT) as f64;

    let limit = confidence.error() / 2.0;
    let mut best = None;
    // Coefficient "n over below", and the sum of those up to it, both divided by 2^moved.
    let (mut coefficient, mut sum, mut moved) = (1.0, 1.0, 0);
    for below in 0..n / 2 {
        // A product, a quotient and a sum in each step, each wrong by at most half of EPSILON.
        let lost = if n > EXACT {
            2.0 * f64::EPSILON * (below + 1) as f64
        } else {
            0.0
        };
        // Where the power of one half underflows, the sum is below 2^150 and the probability below
        // 2^-850, less than any error of a `Confidence`.
        let outside = sum * one_half_to_the(n - moved) * (1.0 + lost);
        if outside > limit {
            break;
        }
        best = Some(Depth {
            rank: below + 1,
            outside,
        });
        coefficient = coefficient * (n - below) as f64 / (below + 1) as f64;
        sum += coefficient;
        if coefficient > SHIFT_FACTOR {
            coefficient /= SHIFT_FACTOR;
            sum /= SHIFT_FACTOR;
            moved += SHIFT;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_belong_to_the_interval() {
        let interval = Interval {
            lower: 1.0,
            upper: 4.0,
            confidence: 0.99,
        };
        assert!(interval.contains(1.0) && interval.contains(4.0) && interval.contains(2.0));
        assert!(!interval.contains(0.999) && !interval.contains(4.001));
        assert!(!interval.contains(f64::NAN));
        assert_eq!(interval.half_width(), 1.5);
    }

    #[test]
    fn powers_of_one_half_are_exact() {
        let mut expected = 1.0;
        for n in 0..1023 {
            assert_eq!(one_half_to_the(n), expected, "n = {n}");
            expected /= 2.0;
        }
        assert_eq!(one_half_to_the(1023), 0.0);
        assert_eq!(one_half_to_the(u64::MAX), 0.0);
    }

    fn depth(n: u64, level: f64) -> Option<Depth> {
        binomial_depth(n, Confidence::new(level).unwrap())
    }

    #[test]
    fn table_at_99_percent() {
        // Ranks exact; coverage approximate, as the table has two decimals of a percent.
        let table = [
            (8, 1, 99.22),
            (10, 1, 99.80),
            (11, 1, 99.90),
            (12, 2, 99.37),
            (14, 2, 99.82),
            (16, 3, 99.58),
            (20, 4, 99.74),
        ];
        for (n, rank, percent) in table {
            let found = depth(n, 0.99).unwrap();
            assert_eq!(found.rank, rank, "n = {n}");
            assert!(
                (found.confidence() * 100.0 - percent).abs() < 0.005,
                "n = {n}"
            );
        }
    }

    #[test]
    fn a_confidence_that_is_just_reached_is_enough() {
        // Exact: n = 8 has 1 - 2/256 and 1 - 18/256.
        assert_eq!(depth(8, 1.0 - 2.0 / 256.0).map(|d| d.rank), Some(1));
        assert_eq!(depth(8, 1.0 - 1.9 / 256.0), None);
        assert_eq!(depth(8, 1.0 - 18.0 / 256.0).map(|d| d.rank), Some(2));
        assert_eq!(depth(8, 1.0 - 17.9 / 256.0).map(|d| d.rank), Some(1));
        assert_eq!(
            depth(8, 1.0 - 2.0 / 256.0).unwrap().confidence(),
            0.992_187_5
        );
    }

    #[test]
    fn agrees_with_whole_number_arithmetic_wherever_that_is_possible() {
        // Exact oracle: counts of subsets in 128 bits, up to n = 120.
        for n in 1..=120_u64 {
            for level in [0.3, 0.5, 0.9, 0.95, 0.99, 0.999, 0.999_99] {
                let limit = Confidence::new(level).unwrap().error() / 2.0;
                let (mut coefficient, mut sum, mut rank) = (1_u128, 0_u128, 0);
                for below in 0..n {
                    sum += coefficient;
                    if sum as f64 * one_half_to_the(n) > limit {
                        break;
                    }
                    rank = below + 1;
                    coefficient = coefficient * u128::from(n - below) / u128::from(below + 1);
                }
                let found = depth(n, level).map_or(0, |d| d.rank);
                assert_eq!(found, rank, "n = {n}, level = {level}");
            }
        }
    }

    #[test]
    fn large_samples_neither_overflow_nor_stall() {
        // Ranks exact, from whole-number arithmetic of unlimited length:
        // max k with 2 sum(C(n, i), i < k) <= (1 - 0.99) 2^n.
        let large = [
            (1_000, 459),
            (1_100, 507),
            (2_000, 942),
            (10_000, 4_871),
            (100_000, 49_593),
        ];
        for (n, rank) in large {
            let found = depth(n, 0.99).unwrap();
            assert_eq!(found.rank, rank, "n = {n}");
            assert!((0.99..0.9914).contains(&found.confidence()), "n = {n}");
        }
    }

    #[test]
    fn reports_how_many_values_are_missing() {
        let seven = Sample::new(vec![1.0; 7]).unwrap();
        assert_eq!(
            median_interval(&seven, Confidence::P99),
            Err(TooFew { needed: 8, got: 7 })
        );
        let one = Sample::new(vec![1.0]).unwrap();
        let hardly = Confidence::new(0.001).unwrap();
        assert_eq!(
            median_interval(&one, hardly),
            Err(TooFew { needed: 2, got: 1 })
        );
    }

    #[test]
    fn the_widest_interval_says_how_little_it_covers() {
        let widest =
            |n| widest_interval(&Sample::from_ticks(&(1..=n).collect::<Vec<_>>()).unwrap());
        assert_eq!(widest(1), None);
        let five = widest(5).unwrap();
        assert_eq!(
            (five.lower, five.upper, five.confidence),
            (1.0, 5.0, 0.937_5)
        );
        assert_eq!(widest(2).unwrap().confidence, 0.5);
    }
}
