use std::error::Error;
use std::fmt;

/// How often an interval shall cover what it is about: more than never, less than always.
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
    /// The error is kept, not the level: it is what gets divided and compared, and 1 - level is
    /// exact from one half up while the reverse of a tiny error is not.
    error: f64,
}

impl Confidence {
    /// 99 %: what intervals are shown at.
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

    /// The same total error, shared evenly by `count` intervals of which every one must hold
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

    /// How often the interval may miss: 1 - level.
    pub fn error(self) -> f64 {
        self.error
    }

    /// The fewest values from which a distribution-free interval of a median can be had: all of
    /// them lie on one side of it with probability 2^(1 - n), and no interval is wider than from
    /// the smallest to the largest.
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
    /// What was given.
    pub level: f64,
}

impl fmt::Display for NotAConfidence {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a confidence of {} is not between 0 and 1; give a fraction such as 0.99",
            self.level
        )
    }
}

impl Error for NotAConfidence {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_between_never_and_always() {
        for level in [0.0, 1.0, -0.5, 99.0, f64::NAN, f64::INFINITY, 1e-300] {
            assert!(Confidence::new(level).is_err(), "{level}");
        }
        let closest = Confidence::new(1.0 - f64::EPSILON / 2.0).unwrap();
        assert_eq!(closest.values_needed(), 54);
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
}
