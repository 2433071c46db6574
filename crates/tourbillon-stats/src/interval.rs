use std::error::Error;
use std::fmt;

/// A range that covers what it is about with a known probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end, included.
    pub lower: f64,
    /// Upper end, included.
    pub upper: f64,
    /// How often an interval made in this way covers, at least: what it really has, which is not
    /// less than what was asked for. Between 0 and 1.
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

/// How many ordered values to leave out at either end.
///
/// An interval from the `rank`-th smallest to the `rank`-th largest value, 1 for the extremes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Depth {
    /// Rank of the ends, from 1.
    pub(crate) rank: u64,
    /// Probability that the truth lies beyond one given end.
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

/// Too few values for the confidence that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFew {
    /// How many values are needed at least.
    pub needed: usize,
    /// How many there are.
    pub got: usize,
}

impl fmt::Display for TooFew {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} values are too few for an interval of this confidence; take at least {}",
            self.got, self.needed
        )
    }
}

impl Error for TooFew {}

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
}
