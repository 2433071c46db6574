//! Values at equal distances on a logarithmic axis.

/// `first`, twice as much, four times as much and so on, up to and including `last`.
///
/// A range whose first value cannot grow, because it is zero or negative, has that one value; one
/// whose first value is above the last has none.
///
/// # Examples
///
/// ```
/// use tourbillon::doubling;
///
/// assert_eq!(doubling(100, 800).collect::<Vec<u32>>(), [100, 200, 400, 800]);
/// assert_eq!(doubling(1, 5).collect::<Vec<u32>>(), [1, 2, 4]);
/// ```
pub fn doubling<T: Integer>(first: T, last: T) -> Geometric<T> {
    geometric(first, last, T::TWO)
}

/// `first`, `factor` times as much and so on, up to and including `last`.
///
/// A range that does not grow has one value, as with [`doubling`].
///
/// # Examples
///
/// ```
/// use tourbillon::geometric;
///
/// assert_eq!(geometric(1, 1_000, 10).collect::<Vec<u32>>(), [1, 10, 100, 1_000]);
/// ```
pub fn geometric<T: Integer>(first: T, last: T, factor: T) -> Geometric<T> {
    Geometric {
        next: (first <= last).then_some(first),
        last,
        factor,
    }
}

/// The values of [`doubling`] and [`geometric`], which have the examples.
#[derive(Clone, Debug)]
pub struct Geometric<T> {
    next: Option<T>,
    last: T,
    factor: T,
}

impl<T: Integer> Iterator for Geometric<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let value = self.next?;
        self.next = value
            .checked_mul(self.factor)
            .filter(|next| *next > value && *next <= self.last);
        Some(value)
    }
}

/// The integers, for which [`doubling`] and [`geometric`] are; nothing to call or implement.
pub trait Integer: Copy + PartialOrd + sealed::Sealed {
    /// 2.
    const TWO: Self;

    /// The product, unless it does not fit.
    fn checked_mul(self, factor: Self) -> Option<Self>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! integers {
    ($($integer:ident)*) => {
        $(
            impl sealed::Sealed for $integer {}

            impl Integer for $integer {
                const TWO: Self = 2;

                fn checked_mul(self, factor: Self) -> Option<Self> {
                    self.checked_mul(factor)
                }
            }
        )*
    };
}

integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

#[cfg(test)]
mod tests {
    use super::{doubling, geometric};

    #[test]
    fn doubling_ends_at_or_below_the_last() {
        assert_eq!(Vec::from_iter(doubling(100_usize, 1_638_400)).len(), 15);
        assert_eq!(doubling(100_usize, 1_638_400).last(), Some(1_638_400));
        assert_eq!(doubling(100_usize, 1_638_399).last(), Some(819_200));
        assert_eq!(Vec::from_iter(doubling(7, 7)), [7]);
        assert_eq!(Vec::from_iter(doubling(8, 7)), []);
    }

    #[test]
    fn no_overflow_and_no_endless_range() {
        assert_eq!(Vec::from_iter(doubling(50_u8, 255)), [50, 100, 200]);
        assert_eq!(doubling(1_u128, u128::MAX).count(), 128);
        assert_eq!(Vec::from_iter(doubling(0, 10)), [0]);
        assert_eq!(Vec::from_iter(doubling(-4_i8, 10)), [-4]);
        assert_eq!(Vec::from_iter(geometric(3, 10, 1)), [3]);
        assert_eq!(Vec::from_iter(geometric(3, 10, -2)), [3]);
        assert_eq!(
            Vec::from_iter(geometric(1_i64, 1_000, 10)),
            [1, 10, 100, 1_000]
        );
    }

    #[test]
    fn a_clone_goes_on_from_the_same_value() {
        let mut values = doubling(1, 8);
        values.next();
        assert_eq!(Vec::from_iter(values.clone()), [2, 4, 8]);
        assert_eq!(Vec::from_iter(values), [2, 4, 8]);
    }
}
