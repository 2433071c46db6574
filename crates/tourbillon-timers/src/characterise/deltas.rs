//! The histogram of differences between sequential readings.

use std::collections::BTreeMap;

use tourbillon_clock::Ticks;

/// Differences between sequential readings, with their counts.
///
/// Exact: no classes, no limits, no clamping. A million readings have a few hundred to a few thousand different
/// differences.
///
/// # Examples
///
/// ```
/// use tourbillon_clock::Ticks;
/// use tourbillon_timers::characterise::Deltas;
///
/// let deltas = Deltas::of_readings(&[5, 5, 7, 6, 8].map(Ticks));
/// let rows: Vec<_> = deltas.rows().collect();
/// assert_eq!(rows, [(-1, 1), (0, 1), (2, 2)]);
/// assert_eq!(deltas.negatives().count, 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deltas {
    counts: BTreeMap<i128, u64>,
    /// The longest differences over 1, 2, 4, 8.. readings, see [`Deltas::spans`].
    spans: Vec<i128>,
}

/// Differences below zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Negatives {
    /// Number of differences.
    pub count: u64,
    /// The lowest difference, in ticks: negative, or zero if the source never went back.
    pub worst: i128,
}

impl Deltas {
    /// The differences of consecutive readings.
    #[must_use]
    pub fn of_readings(readings: &[Ticks]) -> Deltas {
        let mut deltas = Deltas::default();
        deltas.add_readings(readings);
        deltas
    }

    /// A histogram from differences in ticks with their counts.
    #[must_use]
    pub fn of_counts(counts: &[(i128, u64)]) -> Deltas {
        let mut deltas = Deltas::default();
        for &(ticks, count) in counts {
            deltas.add(ticks, count);
        }
        deltas
    }

    /// Adds one difference, `count` times.
    pub fn add(&mut self, ticks: i128, count: u64) {
        if count > 0 {
            *self.counts.entry(ticks).or_default() += count;
        }
    }

    /// Adds the differences of more readings, which need not continue the previous ones.
    pub fn add_readings(&mut self, readings: &[Ticks]) {
        // Equal differences in a row are added together.
        let (mut count, mut last) = (0, 0);
        for pair in readings.windows(2) {
            let ticks = pair[1].signed_since(pair[0]);
            if ticks != last {
                self.add(last, count);
                count = 0;
            }
            last = ticks;
            count += 1;
        }
        self.add(last, count);
        if readings.is_sorted() {
            let doubling = std::iter::successors(Some(1_usize), |over| over.checked_mul(2));
            let overs = doubling.take_while(|&over| over < readings.len());
            self.add_spans(overs.map(|over| readings[over].signed_since(readings[0])));
        }
    }

    fn add_spans(&mut self, spans: impl Iterator<Item = i128>) {
        for (level, span) in spans.enumerate() {
            match self.spans.get_mut(level) {
                Some(longest) => *longest = span.max(*longest),
                None => self.spans.push(span),
            }
        }
    }

    /// Adds another histogram.
    pub fn merge(&mut self, other: &Deltas) {
        for (ticks, count) in other.rows() {
            self.add(ticks, count);
        }
        self.add_spans(other.spans.iter().copied());
    }

    /// Differences in ticks, ascending, with their counts.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = (i128, u64)> {
        self.counts.iter().map(|(&ticks, &count)| (ticks, count))
    }

    /// The longest differences between readings that are 1, 2, 4, 8.. readings apart, of series in which the
    /// source never went back. A longer difference determines the length of a step better, because the
    /// rounding error is the same.
    #[must_use]
    pub fn spans(&self) -> &[i128] {
        &self.spans
    }

    /// Number of differences.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Number of differences of zero: the source stood still.
    #[must_use]
    pub fn zeros(&self) -> u64 {
        self.counts.get(&0).copied().unwrap_or(0)
    }

    /// Number of differences above zero: the source moved on.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.positive().map(|(_, count)| count).sum()
    }

    /// Differences below zero: the source went back.
    #[must_use]
    pub fn negatives(&self) -> Negatives {
        let mut negatives = Negatives::default();
        for (ticks, count) in self.rows().take_while(|&(ticks, _)| ticks < 0) {
            negatives.count += count;
            negatives.worst = negatives.worst.min(ticks);
        }
        negatives
    }

    /// Differences above zero, ascending, with their counts.
    pub(super) fn positive(&self) -> impl DoubleEndedIterator<Item = (i128, u64)> {
        self.counts
            .range(1..)
            .map(|(&ticks, &count)| (ticks, count))
    }

    /// The smallest difference above zero, in ticks.
    #[must_use]
    pub fn smallest(&self) -> Option<i128> {
        self.positive().next().map(|(ticks, _)| ticks)
    }

    /// The largest difference of all, in ticks.
    #[must_use]
    pub fn largest(&self) -> Option<i128> {
        self.rows().next_back().map(|(ticks, _)| ticks)
    }

    /// The most frequent difference above zero, in ticks; the smallest of several.
    #[must_use]
    pub fn commonest(&self) -> Option<i128> {
        // The last of several maxima is returned: the smallest, in descending order.
        let descending = self.positive().rev();
        let commonest = descending.max_by_key(|&(_, count)| count)?;
        Some(commonest.0)
    }

    /// The mean of the differences above zero, in ticks.
    #[must_use]
    pub fn mean_change(&self) -> Option<f64> {
        let changes = self.changes();
        let weighted = |(ticks, count): (i128, u64)| ticks * i128::from(count);
        let sum: i128 = self.positive().map(weighted).sum();
        (changes > 0).then(|| sum as f64 / changes as f64)
    }

    /// The median of the differences above zero, in ticks: the lower of the two in the middle.
    #[must_use]
    pub fn median_change(&self) -> Option<i128> {
        nth(self.positive(), self.changes().checked_sub(1)? / 2)
    }

    /// The smallest difference that at least a fraction `p` of all does not exceed, in ticks; `p` from 0 to 1.
    /// `None` for an empty histogram and for other `p`.
    #[must_use]
    pub fn quantile(&self, p: f64) -> Option<i128> {
        let total = self.total();
        if total == 0 || !(0.0..=1.0).contains(&p) {
            return None;
        }
        let rank = (p * total as f64).ceil() as u64;
        nth(self.rows(), rank.clamp(1, total) - 1)
    }
}

/// The difference at a position of the sorted ones, from 0.
fn nth(mut rows: impl Iterator<Item = (i128, u64)>, at: u64) -> Option<i128> {
    let mut before = 0;
    let (ticks, _) = rows.find(|(_, count)| {
        before += count;
        before > at
    })?;
    Some(ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(values: &[u64]) -> Vec<Ticks> {
        values.iter().copied().map(Ticks).collect()
    }

    #[test]
    fn differences_of_blocks_add_up_and_gaps_between_blocks_are_no_difference() {
        let mut deltas = Deltas::of_readings(&readings(&[1, 2, 2, 5]));
        deltas.add_readings(&readings(&[1_000, 1_001]));
        assert_eq!(deltas.rows().collect::<Vec<_>>(), [(0, 1), (1, 2), (3, 1)]);
        let mut merged = Deltas::of_readings(&readings(&[1, 2, 2, 5]));
        merged.merge(&Deltas::of_readings(&readings(&[1_000, 1_001])));
        assert_eq!(merged, deltas);
    }

    #[test]
    fn a_source_that_goes_back_is_counted_over_the_whole_range() {
        let deltas = Deltas::of_readings(&readings(&[u64::MAX, 0, 7, 4]));
        let worst = -i128::from(u64::MAX);
        assert_eq!(deltas.negatives(), Negatives { count: 2, worst });
        assert_eq!(deltas.smallest(), Some(7));
        assert!(deltas.spans().is_empty(), "{:?}", deltas.spans());
    }

    #[test]
    fn an_empty_histogram_has_no_statistics() {
        for deltas in [Deltas::default(), Deltas::of_readings(&readings(&[3]))] {
            assert_eq!(deltas.total(), 0);
            assert_eq!(deltas.smallest(), None);
            assert_eq!(deltas.largest(), None);
            assert_eq!(deltas.commonest(), None);
            assert_eq!(deltas.mean_change(), None);
            assert_eq!(deltas.median_change(), None);
            assert_eq!(deltas.quantile(0.5), None);
        }
        assert_eq!(Deltas::of_counts(&[(1, 1)]).quantile(1.1), None);
    }

    #[test]
    fn order_statistics_are_of_the_values_that_were_seen() {
        let deltas = Deltas::of_counts(&[(0, 96), (2, 1), (3, 2), (9, 1)]);
        assert_eq!(deltas.median_change(), Some(3));
        assert_eq!(deltas.mean_change(), Some(4.25));
        assert_eq!(deltas.commonest(), Some(3));
        assert_eq!(deltas.quantile(0.0), Some(0));
        assert_eq!(deltas.quantile(0.96), Some(0));
        assert_eq!(deltas.quantile(0.97), Some(2));
        assert_eq!(deltas.quantile(1.0), Some(9));
    }

    #[test]
    fn spans_double() {
        let deltas = Deltas::of_readings(&readings(&[0, 1, 3, 6, 10, 15, 21]));
        assert_eq!(deltas.spans(), [1, 3, 10]);
    }
}
