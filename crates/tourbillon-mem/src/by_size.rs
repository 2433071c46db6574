//! How the cost of a value grows with its size.

use std::fmt;

use crate::footprint::{Footprint, footprint};
use crate::size_text::Size;

/// Footprints of values of several sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BySize {
    /// Number of items and the footprint with so many, in the order asked for.
    pub rows: Vec<(usize, Footprint)>,
}

impl BySize {
    /// Bytes of a value without items, all that it owns included; `None` when 0 was not among the
    /// sizes.
    #[must_use]
    pub fn base_bytes(&self) -> Option<u64> {
        let empty = self.rows.iter().find(|(items, _)| *items == 0)?;
        Some(empty.1.total_bytes())
    }

    /// Owned bytes for each further item between the smallest and the largest size; `None` when there
    /// are no two sizes.
    #[must_use]
    pub fn per_item_bytes(&self) -> Option<f64> {
        let smallest = self.rows.iter().min_by_key(|(items, _)| *items)?;
        let largest = self.rows.iter().max_by_key(|(items, _)| *items)?;
        slope(smallest, largest)
    }

    /// Owned bytes for each further item between a row and the one before it; `None` for the first
    /// row and for rows of equal size.
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

/// Builds values of several sizes and says what each costs.
///
/// # Panics
/// When this process has no [`Meter`](crate::Meter) as its global allocator.
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
/// As [`footprint`] for each size. Containers grow in steps: the slope between two sizes says what
/// the items between them cost, not what the next one will.
#[track_caller]
pub fn footprint_by<T>(sizes: &[usize], mut make: impl FnMut(usize) -> T) -> BySize {
    let mut rows = Vec::with_capacity(sizes.len());
    for size in sizes {
        rows.push((*size, footprint(|| make(*size))));
    }
    BySize { rows }
}

/// A table, and a line with the base and the slope where they are known.
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
