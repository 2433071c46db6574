//! Samples: the numbers that estimates are made from.

use std::error::Error;
use std::fmt;

/// Largest magnitude of a value: larger than any count of ticks, and small enough that differences,
/// squares and sums of all values that fit into memory stay finite.
const LARGEST: f64 = 1e100;

/// At least one number, all of them finite, sorted.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::{Sample, median};
///
/// let sample = Sample::new(vec![3.0, 1.0, 2.0])?;
/// assert_eq!(sample.as_slice(), [1.0, 2.0, 3.0]);
/// assert_eq!(median(&sample), 2.0);
/// # Ok::<(), tourbillon_stats::Invalid>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    sorted: Vec<f64>,
}

impl Sample {
    /// Takes the values in any order.
    ///
    /// # Errors
    ///
    /// [`Invalid::Empty`] without values; [`Invalid::NotFinite`] and [`Invalid::TooLarge`] with the
    /// index of the first value that is NaN, infinite, or beyond 10^100 in magnitude.
    pub fn new(mut values: Vec<f64>) -> Result<Sample, Invalid> {
        if values.is_empty() {
            return Err(Invalid::Empty);
        }
        for (index, value) in values.iter_mut().enumerate() {
            if !value.is_finite() {
                return Err(Invalid::NotFinite { index });
            }
            if value.abs() > LARGEST {
                return Err(Invalid::TooLarge { index });
            }
            // Turns -0 into 0: if equal values differed in bits, the order of the input could change
            // the output.
            *value += 0.0;
        }
        Ok(Sample::sort(values))
    }

    /// Takes readings of a counter, in ticks. Counts up to 2^53 are stored exactly.
    ///
    /// # Errors
    ///
    /// [`Invalid::Empty`] without readings.
    pub fn from_ticks(ticks: &[u64]) -> Result<Sample, Invalid> {
        Sample::new(ticks.iter().map(|&reading| reading as f64).collect())
    }

    /// A sample of values that were computed from those of a sample, and cannot be invalid.
    pub fn sort(mut values: Vec<f64>) -> Sample {
        debug_assert!(!values.is_empty() && values.iter().all(|v| v.is_finite()));
        sort(&mut values);
        Sample { sorted: values }
    }

    /// Number of values, at least one.
    #[expect(clippy::len_without_is_empty, reason = "a sample is never empty")]
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// The smallest value.
    pub fn min(&self) -> f64 {
        self.sorted[0]
    }

    /// The largest value.
    pub fn max(&self) -> f64 {
        self.sorted[self.sorted.len() - 1]
    }

    /// The values in ascending order.
    pub fn as_slice(&self) -> &[f64] {
        &self.sorted
    }
}

/// Why numbers are not a [`Sample`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// There are none.
    Empty,
    /// A value is infinite or NaN.
    NotFinite {
        /// Its place in the input, from 0.
        index: usize,
    },
    /// A value is beyond 10^100 in magnitude.
    TooLarge {
        /// Its place in the input, from 0.
        index: usize,
    },
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Invalid::Empty => {
                f.write_str("there are no values to make an estimate from; take at least one")
            }
            Invalid::NotFinite { index } => write!(
                f,
                "value {index} (from 0) is not a finite number; omit it and mark it as absent"
            ),
            Invalid::TooLarge { index } => write!(
                f,
                "value {index} (from 0) is beyond 1e100 in magnitude; use a larger unit"
            ),
        }
    }
}

impl Error for Invalid {}

/// Sorts numbers in ascending order, -0 before 0, in place.
///
/// # Examples
///
/// ```
/// let mut values = [0.0_f64, 2.0, -0.0, 1.0];
/// tourbillon_stats::sort(&mut values);
/// assert_eq!(values.map(f64::to_bits), [-0.0_f64, 0.0, 1.0, 2.0].map(f64::to_bits));
/// ```
pub fn sort(values: &mut [f64]) {
    values.sort_unstable_by(f64::total_cmp);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_whatever_the_order() {
        let sample = Sample::new(vec![2.0, -1.0, 7.5, 2.0]).unwrap();
        assert_eq!(sample.as_slice(), [-1.0, 2.0, 2.0, 7.5]);
        assert_eq!((sample.len(), sample.min(), sample.max()), (4, -1.0, 7.5));
    }

    #[test]
    fn refuses_what_no_estimate_can_be_made_from() {
        assert_eq!(Sample::new(vec![]), Err(Invalid::Empty));
        assert_eq!(Sample::from_ticks(&[]), Err(Invalid::Empty));
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(
                Sample::new(vec![1.0, bad, bad]),
                Err(Invalid::NotFinite { index: 1 })
            );
        }
        assert_eq!(
            Sample::new(vec![1e100, -1e100, -1.1e100]),
            Err(Invalid::TooLarge { index: 2 })
        );
    }

    #[test]
    fn has_one_zero_only() {
        let zeros = Sample::new(vec![0.0, -0.0, 0.0]).unwrap();
        assert!(zeros.as_slice().iter().all(|z| z.to_bits() == 0));
    }

    #[test]
    fn ticks_are_exact_up_to_two_to_the_53() {
        let sample = Sample::from_ticks(&[1 << 53, 0, (1 << 53) - 1]).unwrap();
        assert_eq!(
            sample.as_slice(),
            [0.0, 9_007_199_254_740_991.0, 9_007_199_254_740_992.0]
        );
        assert!(Sample::from_ticks(&[u64::MAX]).is_ok());
    }
}
