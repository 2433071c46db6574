//! A value's size in words, on its own and as one of many in an array.

use std::fmt;

use crate::footprint::{Footprint, footprint};
use crate::layout::{TypeLayout, layout_of};
use crate::size_text::Counted;

/// The cost of a value in a block of its own, and in an array of values of its type, from
/// [`footprint_each`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Each {
    /// Number of values in the array.
    pub count: usize,
    /// `Box<T>`: a block for the value, rounded up by the allocator.
    pub alone: Footprint,
    /// `Box<[T]>` with `count` values.
    pub array: Footprint,
}

impl Each {
    /// Bytes of one value on its own with everything that it owns: usable bytes if the allocator reports
    /// them, otherwise requested ones.
    #[must_use]
    pub fn aligned_bytes(&self) -> u64 {
        let owned = &self.alone.owned;
        owned.usable_bytes.unwrap_or(owned.requested_bytes)
    }

    /// Bytes of one value in the array with everything that it owns, not rounded; `None` for an empty
    /// array.
    #[must_use]
    pub fn packed_bytes(&self) -> Option<f64> {
        self.array.per_item_bytes(self.count)
    }
}

impl fmt::Display for Each {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} B alone", self.aligned_bytes())?;
        match self.packed_bytes() {
            Some(bytes) => write!(f, ", {bytes:.1} B each in an array of {}", self.count),
            None => Ok(()),
        }
    }
}

/// The cost of one value in a block of its own, and of each of `count` values in an array.
///
/// # Panics
/// If this process has no [`Meter`](crate::Meter) as its global allocator.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let each = tourbillon_mem::footprint_each(16, || 1_u8);
/// assert_eq!(each.alone.owned.requested_bytes, 1);
/// assert_eq!(each.packed_bytes(), Some(1.0));
/// ```
///
/// # Accuracy
/// As [`footprint`].
#[track_caller]
pub fn footprint_each<T>(count: usize, mut make: impl FnMut() -> T) -> Each {
    Each {
        count,
        alone: footprint(|| Box::new(make())),
        array: footprint(|| (0..count).map(|_| make()).collect::<Box<[T]>>()),
    }
}

/// Number of values in the array of a report.
const IN_ARRAY: usize = 16;

/// The size of a value, described by [`size_report`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeReport {
    /// The value's type.
    pub layout: TypeLayout,
    /// The cost of the value.
    pub footprint: Footprint,
    /// The cost in a block of its own, and as one of 16 in an array.
    pub each: Each,
    /// Number of items of a collection.
    pub items: Option<usize>,
}

/// Describes the cost of a value; printed, it is a few lines.
///
/// # Panics
/// If this process has no [`Meter`](crate::Meter) as its global allocator.
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let report = tourbillon_mem::size_report(|| "a".repeat(16));
/// # #[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
/// assert_eq!(report.to_string(), "\
/// String: 40 bytes = 24 inline + 16 content; 1 block, overhead 16 bytes
///     deep: 48 bytes alone, 40 in an array; shallow: 24 bytes alone, 24 in an array");
/// ```
///
/// # Accuracy
/// As [`footprint`]. Content is the requested bytes; overhead is what the allocator takes beyond them,
/// the headers of the blocks included if they are known.
///
/// # Cost
/// Builds the value at least 40 times.
#[track_caller]
pub fn size_report<T>(mut make: impl FnMut() -> T) -> SizeReport {
    SizeReport {
        layout: layout_of::<T>(),
        footprint: footprint(&mut make),
        each: footprint_each(IN_ARRAY, &mut make),
        items: None,
    }
}

/// As [`size_report`], for a collection: with the number of its items and the cost of each.
///
/// # Panics
/// As [`size_report`].
///
/// # Examples
/// ```
/// # #[global_allocator]
/// # static ALLOC: tourbillon_mem::Meter = tourbillon_mem::Meter::system();
/// let report = tourbillon_mem::size_report_items(|| vec![0_i32; 16], |list| list.len());
/// # #[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
/// assert!(report.to_string().ends_with("16 items, 4.0 bytes each"));
/// ```
#[track_caller]
pub fn size_report_items<T>(
    mut make: impl FnMut() -> T,
    items: impl FnOnce(&T) -> usize,
) -> SizeReport {
    let mut report = size_report(&mut make);
    report.items = Some(items(&make()));
    report
}

impl fmt::Display for SizeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (layout, footprint) = (&self.layout, &self.footprint);
        let total = Counted(footprint.total_bytes(), "byte");
        write!(f, "{}: {total}", layout.name)?;
        if !footprint.owned.is_empty() {
            let blocks = Counted(footprint.owned.blocks, "block");
            let content = footprint.owned.requested_bytes;
            let inline = footprint.inline_bytes;
            write!(f, " = {inline} inline + {content} content; {blocks}")?;
            if let Some(overhead) = footprint.owned.overhead_bytes() {
                write!(f, ", overhead {}", Counted(overhead, "byte"))?;
            }
        }
        if !footprint.is_confirmed() {
            write!(f, "; not confirmed")?;
        }
        if !footprint.left_behind.is_empty() {
            write!(f, "; {} left behind", footprint.left_behind)?;
        }
        // Shallow: without the blocks that the value owns.
        let owned = &footprint.owned;
        let owned = owned.usable_bytes.unwrap_or(owned.requested_bytes);
        let (deep, packed) = (self.each.aligned_bytes(), self.each.packed_bytes());
        write!(
            f,
            "\n    deep: {} alone, {:.0} in an array; shallow: {} alone, {} in an array",
            Counted(deep, "byte"),
            packed.unwrap_or_default(),
            Counted(deep.saturating_sub(owned), "byte"),
            layout.size_bytes
        )?;
        if let Some(items) = self.items {
            write!(f, "\n    {}", Counted(items as u64, "item"))?;
            if let Some(bytes) = footprint.per_item_bytes(items) {
                write!(f, ", {bytes:.1} bytes each")?;
            }
        }
        Ok(())
    }
}
