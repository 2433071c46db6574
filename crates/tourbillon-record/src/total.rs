//! Sums of what records say.

/// The sum of counts, or the largest number where there is none: a record may say anything.
pub fn total(counts: impl IntoIterator<Item = u64>) -> u64 {
    counts.into_iter().fold(0, u64::saturating_add)
}
