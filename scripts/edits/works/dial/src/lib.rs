//! A dependency with a feature.

/// Marks on the dial.
pub const MARKS: u64 = if cfg!(feature = "fine") { 120 } else { 60 };

/// Where a hand is.
#[inline(never)]
pub fn hand(n: u64) -> u64 {
    n % MARKS
}

/// The same, for callers.
#[inline]
pub fn shifted(n: u64) -> u64 {
    hand(n).wrapping_add(9)
}
