//! How the cost of a container grows with its size, and how much of it is reserved and unused.

use std::fmt;

use crate::count::{metered, watch};
use crate::footprint::{Footprint, footprint, footprint_of};
use crate::size_text::Size;

/// Footprints of values of several sizes, from [`footprint_by`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BySize {
    /// Number of items, and the footprint with that number, in the requested order.
    pub rows: Vec<(usize, Footprint)>,
}

impl BySize {
    /// Bytes of a value without items, everything that it owns included; `None` if 0 was not among the
    /// sizes.
    #[must_use]
    pub fn base_bytes(&self) -> Option<u64> {
        let empty = self.rows.iter().find(|(items, _)| *items == 0)?;
        Some(empty.1.total_bytes())
    }

    /// Owned bytes per further item between the smallest and the largest size; `None` with fewer than
    /// two sizes.
    #[must_use]
    pub fn per_item_bytes(&self) -> Option<f64> {
        let smallest = self.rows.iter().min_by_key(|(items, _)| *items)?;
        let largest = self.rows.iter().max_by_key(|(items, _)| *items)?;
        slope(smallest, largest)
    }

    /// Owned bytes per further item between a row and the previous one; `None` for the first row and for
    /// rows of equal size.
    #[must_use]
    pub fn marginal_bytes(&self, row: usize) -> Option<f64> {
        slope(self.rows.get(row.checked_sub(1)?)?, self.rows.get(row)?)
    }
}

fn slope(from: &(usize, Footprint), to: &(usize, Footprint)) -> Option<f64> {
    let items = to.0 as f64 - from.0 as f64;
    let bytes = to.1.owned.requested_bytes as f64 - from.1.owned.requested_bytes as f64;
    (to.0 != from.0).then(|| bytes / items)
}

/// Builds values of several sizes and returns what each costs.
///
/// # Panics
/// If this process has no [`Meter`](crate::Meter) as its global allocator.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let lists = tourbillon_mem::footprint_by(&[0, 10, 1000], |n| vec![1_u32; n]);
/// assert_eq!(lists.base_bytes(), Some(size_of::<Vec<u32>>() as u64));
/// assert_eq!(lists.per_item_bytes(), Some(4.0));
/// ```
///
/// # Accuracy
/// As [`footprint`] for each size. Containers grow in steps: the slope between two sizes is the cost of
/// the items between them, not of the next one.
#[track_caller]
pub fn footprint_by<T>(sizes: &[usize], mut make: impl FnMut(usize) -> T) -> BySize {
    let mut row = |&size: &usize| (size, footprint(|| make(size)));
    BySize {
        rows: sizes.iter().map(&mut row).collect(),
    }
}

/// A table, and a line with the base and the slope if they are known.
impl fmt::Display for BySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>10} {:>12} {:>8} {:>10} {:>10}",
            "items", "owned", "blocks", "B/item", "next item"
        )?;
        for (row, (items, footprint)) in self.rows.iter().enumerate() {
            let owned = Size(footprint.owned.requested_bytes).to_string();
            let blocks = footprint.owned.blocks;
            write!(f, "\n{items:>10} {owned:>12} {blocks:>8}")?;
            let figures = [footprint.per_item_bytes(*items), self.marginal_bytes(row)];
            for figure in figures {
                let figure = figure.map_or_else(|| "-".to_owned(), |bytes| format!("{bytes:.1}"));
                write!(f, " {figure:>10}")?;
            }
        }
        if let (Some(base), Some(per_item)) = (self.base_bytes(), self.per_item_bytes()) {
            write!(f, "\n{base} B without items, {per_item:.1} B for each")?;
        }
        Ok(())
    }
}

/// Owned bytes of a value, and those that it does not need, from [`slack`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slack {
    /// Bytes that it owned.
    pub owned_bytes: u64,
    /// Bytes of these that were freed.
    pub slack_bytes: u64,
}

impl Slack {
    /// The fraction of the owned bytes that is slack; `None` if nothing was owned.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.owned_bytes > 0).then(|| self.slack_bytes as f64 / self.owned_bytes as f64)
    }

    fn of(owned_bytes: u64, needed_bytes: u64) -> Self {
        Self {
            owned_bytes,
            slack_bytes: owned_bytes.saturating_sub(needed_bytes),
        }
    }
}

impl fmt::Display for Slack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (slack, owned) = (Size(self.slack_bytes), Size(self.owned_bytes));
        write!(f, "{slack} slack of {owned} owned")?;
        match self.share() {
            Some(share) => write!(f, " ({:.0} %)", share * 100.0),
            None => Ok(()),
        }
    }
}

/// What a value frees when it shrinks.
///
/// # Panics
/// If this process has no [`Meter`](crate::Meter) as its global allocator.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let mut text = String::with_capacity(100);
/// text.push_str("sixteen letters.");
/// let slack = tourbillon_mem::slack(text, |text| text.shrink_to_fit());
/// assert_eq!((slack.owned_bytes, slack.slack_bytes), (100, 84));
/// ```
///
/// # Accuracy
/// Exact for what `shrink` shrinks: a list of lists frees only the slack of the outer one.
#[track_caller]
pub fn slack<T>(mut value: T, shrink: impl FnOnce(&mut T)) -> Slack {
    metered();
    let ((), shrunk, _) = watch(|| shrink(&mut value));
    let needed = footprint_of(value).requested_bytes;
    let owned = needed.saturating_add_signed(-shrunk.live_bytes());
    Slack::of(owned, needed)
}

/// How many more bytes a value owns than a clone of it.
///
/// # Panics
/// If this process has no [`Meter`](crate::Meter) as its global allocator.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let mut list = Vec::with_capacity(10);
/// list.push(1_u64);
/// let slack = tourbillon_mem::slack_by_clone(list);
/// assert_eq!((slack.owned_bytes, slack.slack_bytes), (80, 72));
/// ```
///
/// # Accuracy
/// Exact for types that clone without reserving, such as `Vec` and `String`, and types made of them.
/// Parts that a clone shares with the original look like slack.
#[track_caller]
pub fn slack_by_clone<T: Clone>(value: T) -> Slack {
    metered();
    let needed = footprint_of(value.clone()).requested_bytes;
    let owned = footprint_of(value).requested_bytes;
    Slack::of(owned, needed)
}
