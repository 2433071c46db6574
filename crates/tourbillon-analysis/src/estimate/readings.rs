//! Readings of batches: which are usable, their sum, their median.

use tourbillon_record::Batches;
use tourbillon_stats::{Sample, median};

/// Differences of readings from here on are negative: the engine subtracts modulo 2^64, and no batch takes
/// half of that range.
const BACKWARDS: u64 = 1 << 63;

/// Whether the clock went backwards during a batch, so that its reading is unusable.
pub fn went_backwards(ticks: u64) -> bool {
    ticks >= BACKWARDS
}

/// The ticks of all batches with a usable reading.
pub fn ticks_inside(batches: &Batches) -> u64 {
    let usable = batches
        .ticks
        .iter()
        .filter(|ticks| !went_backwards(**ticks));
    usable.fold(0, |sum, ticks| sum.saturating_add(*ticks))
}

/// The median of a column over the batches of one kind; `None` where there is none.
pub fn median_of_kind(batches: &Batches, kind: u8, column: &[u64]) -> Option<f64> {
    let rows = batches.kind.iter().zip(column);
    let usable = rows.filter(|(own, value)| **own == kind && !went_backwards(**value));
    median_of(usable.map(|(_, value)| *value as f64))
}

/// The median of values in any order; `None` without values, or where one is not a number.
pub fn median_of(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    Some(median(&Sample::new(values.into_iter().collect()).ok()?))
}

/// The median of readings; `None` without any.
pub(crate) fn median_of_ticks(ticks: &[u64]) -> Option<f64> {
    Some(median(&Sample::from_ticks(ticks).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_went_backwards_is_recognised() {
        assert!(went_backwards(u64::MAX));
        assert!(went_backwards(0_u64.wrapping_sub(1 << 40)));
        assert!(!went_backwards(0));
        assert!(!went_backwards(1 << 62));
        let batches = Batches {
            kind: vec![1, 1, 2, 1, 1],
            ticks: vec![10, u64::MAX - 5, 1_000, 30, 20],
            ..Batches::default()
        };
        assert_eq!(ticks_inside(&batches), 1_060);
        assert_eq!(median_of_kind(&batches, 1, &batches.ticks), Some(20.0));
        assert_eq!(median_of_kind(&batches, 0, &batches.ticks), None);
    }
}
