//! The durations of single calls.

use crate::codec::{object, same_length};
use crate::members::Members;
use crate::{Error, total};

/// Buckets of a doubling: a bucket is at most a thousandth of its values wide.
const BITS: u32 = 10;

/// The durations of single calls in one launch, as a histogram with buckets of at most 1/1024 of their values.
///
/// A duration goes from the end of the call before to the end of the call, or at a fixed rate from the time
/// at which the call was due: one reading of the clock is in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calls {
    /// Calls that were due in a second; `None` where each call began when the one before had ended.
    pub per_second: Option<f64>,
    /// The least duration of each bucket that has calls, in ticks, ascending. A bucket is 1 tick wide below 2048 ticks,
    /// 2 below 4096, 4 below 8192, and so on.
    pub ticks: Vec<u64>,
    /// Calls in each of these buckets.
    pub count: Vec<u64>,
    /// The longest call, in ticks.
    pub longest_ticks: u64,
    /// What one reading of the clock takes: medians over calls of an empty body, in ticks.
    pub reading_ticks: Vec<u64>,
    /// All readings of the clock are a multiple of this many ticks apart; 0 where none differed.
    pub step_ticks: u64,
    /// Calls that began late, because the call before had not ended when they were due.
    pub late: u64,
    /// The most calls that were due at once and had not begun.
    pub backlog: u64,
}

object! {
    Calls { per_second, ticks, count, longest_ticks, reading_ticks, step_ticks, late, backlog }
    check columns
}

impl Calls {
    /// The least duration of the bucket that holds a duration.
    pub const fn bucket(ticks: u64) -> u64 {
        let width = Calls::width(ticks);
        ticks - ticks % width
    }

    /// Width of the bucket that holds a duration: 1 below 2048 ticks, and twice as much for each doubling.
    pub const fn width(ticks: u64) -> u64 {
        let digits = u64::BITS - ticks.leading_zeros();
        1 << digits.saturating_sub(BITS + 1)
    }

    /// Number of calls.
    pub fn calls(&self) -> u64 {
        total(self.count.iter().copied())
    }

    fn columns(&mut self, from: &Members<'_>) -> Result<(), Error> {
        if !self.ticks.is_sorted_by(|one, next| one < next) {
            return Err(from.malformed("column `ticks` of calls is not ascending"));
        }
        same_length(
            from,
            &[("ticks", self.ticks.len()), ("count", self.count.len())],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Calls;

    #[test]
    fn buckets_are_a_thousandth_wide_and_touch_each_other() {
        for (ticks, bucket, width) in [
            (0, 0, 1),
            (1, 1, 1),
            (2047, 2047, 1),
            (2048, 2048, 2),
            (2049, 2048, 2),
            (4095, 4094, 2),
            (4096, 4096, 4),
            (1_000_003, 999_936, 512),
            (u64::MAX, u64::MAX - ((1 << 53) - 1), 1 << 53),
        ] {
            assert_eq!(
                (Calls::bucket(ticks), Calls::width(ticks)),
                (bucket, width),
                "{ticks}"
            );
            assert!(width == 1 || width <= bucket / 1024, "{ticks}");
            assert_eq!(Calls::width(bucket), width);
            if let Some(next) = bucket.checked_add(width) {
                assert_eq!(Calls::bucket(next), next);
            }
        }
    }
}
