use std::error::Error;
use std::fmt;

/// How probable it is that chance alone gives what was seen, or something that speaks as loudly,
/// while the hypothesis holds: at most. From 0 to 1.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::PValue;
///
/// let p = PValue::new(0.004)?;
/// assert_eq!(p.times(3.0).get(), 0.012);
/// assert_eq!(p.times(1_000.0), PValue::ONE);
/// # Ok::<(), tourbillon_stats::NotAProbability>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct PValue(f64);

impl PValue {
    /// Nothing speaks against the hypothesis.
    pub const ONE: PValue = PValue(1.0);

    /// From a probability.
    ///
    /// # Errors
    ///
    /// [`NotAProbability`] if it is not between 0 and 1, both included.
    #[inline]
    pub fn new(probability: f64) -> Result<PValue, NotAProbability> {
        if (0.0..=1.0).contains(&probability) {
            Ok(PValue(probability))
        } else {
            Err(NotAProbability { probability })
        }
    }

    /// The probability.
    #[inline]
    pub fn get(self) -> f64 {
        self.0
    }

    /// So many times as large, and 1 at most: what Bonferroni's inequality makes of it. A factor
    /// that is not a number, or below 0, gives 1.
    #[inline]
    #[must_use]
    pub fn times(self, factor: f64) -> PValue {
        PValue::new(self.0 * factor).unwrap_or(PValue::ONE)
    }

    /// In order; there is none that is not a number.
    #[inline]
    pub fn total_cmp(&self, other: &PValue) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A number that is no probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotAProbability {
    /// What was given.
    pub probability: f64,
}

impl fmt::Display for NotAProbability {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a probability of {} is not between 0 and 1; give a fraction such as 0.01",
            self.probability
        )
    }
}

impl Error for NotAProbability {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_from_never_to_always() {
        for fine in [0.0, 0.5, 1.0] {
            assert_eq!(PValue::new(fine).unwrap().get(), fine);
        }
        for bad in [-1e-9, 1.000_000_1, f64::NAN, f64::INFINITY] {
            assert!(PValue::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn factors_never_lead_out_of_the_range() {
        let p = PValue::new(0.25).unwrap();
        assert_eq!(p.times(2.0).get(), 0.5);
        for factor in [5.0, f64::INFINITY, f64::NAN, -1.0] {
            assert_eq!(p.times(factor), PValue::ONE, "{factor}");
        }
    }
}
