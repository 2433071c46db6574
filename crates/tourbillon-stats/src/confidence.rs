//! Confidence levels, and how several looks share one.

use std::error::Error;
use std::fmt;

/// The probability with which an interval covers the true value, between 0 and 1.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::Confidence;
///
/// assert_eq!(Confidence::new(0.99)?, Confidence::P99);
/// assert_eq!(Confidence::P99.level(), 0.99);
/// assert_eq!(Confidence::P99.values_needed(), 8);
/// # Ok::<(), tourbillon_stats::NotAConfidence>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    /// 1 - level. The error is stored because it is divided and compared; 1 - level is exact for
    /// levels from one half up, the reverse of a tiny error is not.
    error: f64,
}

impl Confidence {
    /// 99 %, the level of the intervals that are printed.
    pub const P99: Confidence = Confidence { error: 1.0 - 0.99 };

    /// From a level as a fraction, such as 0.99.
    ///
    /// # Errors
    ///
    /// [`NotAConfidence`] if the level is not between 0 and 1, both excluded.
    pub fn new(level: f64) -> Result<Confidence, NotAConfidence> {
        let error = 1.0 - level;
        if error > 0.0 && error < 1.0 {
            Ok(Confidence { error })
        } else {
            Err(NotAConfidence { level })
        }
    }

    /// From the probability that the interval misses the true value. An error below 1e-16, for which no level has digits
    /// enough, is kept as it is.
    ///
    /// # Errors
    ///
    /// [`NotAConfidence`] if it is not between 0 and 1, both excluded.
    pub fn of_error(error: f64) -> Result<Confidence, NotAConfidence> {
        if error > 0.0 && error < 1.0 {
            Ok(Confidence { error })
        } else {
            Err(NotAConfidence { level: 1.0 - error })
        }
    }

    /// The same total error, divided evenly between `count` intervals that must hold together
    /// (Bonferroni's inequality).
    pub(crate) fn shared_by(self, count: usize) -> Confidence {
        Confidence {
            error: self.error / count.max(1) as f64,
        }
    }

    /// The level as a fraction.
    pub fn level(self) -> f64 {
        1.0 - self.error
    }

    /// The probability that the interval misses the true value: 1 - level.
    pub fn error(self) -> f64 {
        self.error
    }

    /// The fewest values that give a distribution-free interval of a median. The widest interval,
    /// from the smallest to the largest value, misses the median with probability 2^(1 - n).
    pub fn values_needed(self) -> usize {
        let (mut n, mut missed) = (1, 1.0);
        while missed > self.error {
            n += 1;
            missed /= 2.0;
        }
        n
    }
}

/// A level that is not between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotAConfidence {
    /// The rejected level.
    pub level: f64,
}

impl fmt::Display for NotAConfidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a confidence of {} is not between 0 and 1; give a fraction such as 0.99",
            self.level
        )
    }
}

impl Error for NotAConfidence {}

/// Numbers of launches after which a run with a target precision looks at its intervals.
pub const LAUNCHES: [u32; 3] = [20, 40, 80];

/// One of several [`looks`] at a growing set of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Number of values at this look.
    pub at: u32,
    /// Confidence of the interval at this look.
    pub confidence: Confidence,
}

/// Divides the error of `overall` evenly between the planned looks. The intervals of all looks then
/// hold together with at least that confidence, so a run may stop at any of them.
///
/// Bonferroni's inequality assumes nothing about the values; looks at a growing set are never
/// independent. With twenty looks at 99 % each, some interval misses in about 10 % of the runs.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Confidence, LAUNCHES, looks};
///
/// let [first, .., last] = looks(LAUNCHES, Confidence::P99);
/// assert_eq!((first.at, last.at), (20, 80));
/// assert!((first.confidence.level() - 0.99667).abs() < 0.00001);
/// ```
pub fn looks<const K: usize>(at: [u32; K], overall: Confidence) -> [Look; K] {
    let confidence = overall.shared_by(K);
    at.map(|at| Look { at, confidence })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sample, median_interval};

    #[test]
    fn only_between_never_and_always() {
        for level in [0.0, 1.0, -0.5, 99.0, f64::NAN, f64::INFINITY, 1e-300] {
            assert!(Confidence::new(level).is_err(), "{level}");
        }
        let closest = Confidence::new(1.0 - f64::EPSILON / 2.0).unwrap();
        assert_eq!(closest.values_needed(), 54);
    }

    #[test]
    fn an_error_has_more_digits_than_a_level() {
        for error in [0.0, 1.0, -0.1, f64::NAN] {
            assert!(Confidence::of_error(error).is_err(), "{error}");
        }
        let tiny = Confidence::of_error(1e-21).unwrap();
        assert_eq!((tiny.error(), tiny.values_needed()), (1e-21, 71));
        assert!(Confidence::new(1.0 - 1e-21).is_err());
    }

    #[test]
    fn the_level_comes_back_bit_by_bit() {
        for level in [0.5, 0.9, 0.95, 0.99, 0.999, 0.999_999] {
            assert_eq!(Confidence::new(level).unwrap().level(), level);
        }
    }

    #[test]
    fn values_needed_is_the_smallest_count() {
        // Exact: powers of one half.
        let needed = |level| Confidence::new(level).unwrap().values_needed();
        assert_eq!(needed(0.01), 2);
        assert_eq!((needed(0.5), needed(0.500_001)), (2, 3));
        assert_eq!((needed(0.992_187_5), needed(0.992_187_6)), (8, 9));
        assert_eq!((needed(0.95), needed(0.99), needed(0.999)), (6, 8, 11));
    }

    #[test]
    fn the_shares_add_up_to_the_error() {
        let total: f64 = looks(LAUNCHES, Confidence::P99)
            .iter()
            .map(|l| l.confidence.error())
            .sum();
        // Approximate: a third is not a binary fraction.
        assert!((total - 0.01).abs() < 1e-16);
        let [only] = looks([20], Confidence::P99);
        assert_eq!(only.confidence, Confidence::P99);
        assert_eq!(looks([], Confidence::P99), []);
    }

    #[test]
    fn every_look_has_launches_enough_for_its_interval() {
        for look in looks(LAUNCHES, Confidence::P99) {
            let launches: Vec<u64> = (1..=u64::from(look.at)).collect();
            let interval =
                median_interval(&Sample::from_ticks(&launches).unwrap(), look.confidence);
            assert!(interval.unwrap().confidence >= look.confidence.level());
        }
    }
}
