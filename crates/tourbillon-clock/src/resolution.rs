//! What a clock can tell apart.

use crate::frequency::greatest_common_divisor;
use crate::{Clock, Ticks};

/// Empty regions that are timed.
const PAIRS: usize = 64;

/// How finely a clock tells times apart, as seen in a few readings on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// All differences that were seen are a multiple of this many ticks: the unit that the counter
    /// really advances by, on one core (the steps of two cores need not be in phase). `Ticks(0)`
    /// where all readings were the same.
    pub granularity: Ticks,
    /// Median of empty regions, [`start`](Clock::start) followed by [`stop`](Clock::stop): what the
    /// readings themselves leave inside a region.
    pub empty_region: Ticks,
}

impl Clock {
    /// Times 64 empty regions.
    ///
    /// # Accuracy
    ///
    /// Hints for choosing the length of a batch, not results: the readings are few, so that the
    /// granularity may be a multiple of the true one, and a clock that counts in ticks of a
    /// fraction of a nanosecond hides them behind whole nanoseconds.
    ///
    /// # Cost
    ///
    /// Some microseconds.
    #[must_use]
    #[inline]
    pub fn resolution(&self) -> Resolution {
        let mut regions = [0; PAIRS];
        let mut granularity = 0;
        let mut last = self.start();
        for region in &mut regions {
            let before = self.start();
            let after = self.stop();
            granularity = greatest_common_divisor(granularity, before.0.abs_diff(last.0));
            granularity = greatest_common_divisor(granularity, after.0.abs_diff(before.0));
            // A region of negative length sorts as empty: this is a hint, and the granularity
            // above has seen the step.
            *region = after.0.saturating_sub(before.0);
            last = after;
        }
        Resolution {
            granularity: Ticks(granularity),
            empty_region: Ticks(median(&mut regions)),
        }
    }
}

/// By insertion: the sort of the standard library would be a tenth of this crate's code.
#[inline]
fn median(regions: &mut [u64; PAIRS]) -> u64 {
    for sorted in 1..PAIRS {
        let mut at = sorted;
        while at > 0 && regions[at - 1] > regions[at] {
            regions.swap(at - 1, at);
            at -= 1;
        }
    }
    regions[PAIRS / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_of_any_order() {
        let ascending: [u64; PAIRS] = std::array::from_fn(|index| index as u64 / 2);
        let mut shuffled = std::array::from_fn(|index| ascending[index * 37 % PAIRS]);
        assert_ne!(shuffled, ascending);
        assert_eq!(median(&mut shuffled), ascending[PAIRS / 2]);
        assert_eq!(shuffled, ascending);
    }
}
