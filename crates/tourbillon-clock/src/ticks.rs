//! Raw readings of a clock.

/// A reading of a [`Clock`](crate::Clock), or a difference of two, in the clock's own unit.
///
/// Ticks mean nothing without the clock they came from; [`Frequency`](crate::Frequency) turns them
/// into time.
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
    /// The ticks from `earlier` to `self`, or `None` where the clock went backwards.
    ///
    /// A negative difference is never made zero: it is a fact about the clock (a step, a counter
    /// that differs between cores, a wrap), and whoever takes the difference has to say what
    /// becomes of it.
    #[inline(always)]
    #[must_use]
    pub const fn since(self, earlier: Ticks) -> Option<Ticks> {
        match self.0.checked_sub(earlier.0) {
            Some(difference) => Some(Ticks(difference)),
            None => None,
        }
    }

    /// The ticks from `earlier` to `self`, negative where the clock went backwards.
    #[inline]
    #[must_use]
    pub const fn signed_since(self, earlier: Ticks) -> i128 {
        self.0 as i128 - earlier.0 as i128
    }
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
        assert_eq!(
            Ticks(0).signed_since(Ticks(u64::MAX)),
            -i128::from(u64::MAX)
        );
    }
}
