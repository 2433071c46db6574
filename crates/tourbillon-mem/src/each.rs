//! What a value costs on its own and as one of many in an array.

use std::fmt;

use crate::footprint::{Footprint, footprint};

/// A value in a block of its own, and in an array with others of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Each {
    /// How many the array has.
    pub count: usize,
    /// `Box<T>`: a block for the value, rounded up by the allocator.
    pub alone: Footprint,
    /// `Box<[T]>` with `count` of them.
    pub array: Footprint,
}

impl Each {
    /// Bytes of one on its own with all that it owns: usable ones where the allocator tells, else
    /// those asked for.
    #[must_use]
    pub fn aligned_bytes(&self) -> u64 {
        let owned = &self.alone.owned;
        owned.usable_bytes.unwrap_or(owned.requested_bytes)
    }

    /// Bytes of one in the array with all that it owns, not rounded; `None` for an empty array.
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

/// What one value costs in a block of its own, and what each of `count` costs in an array.
///
/// # Panics
/// When this process has no [`Meter`](crate::Meter) as its global allocator.
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
        array: footprint(|| {
            let mut array = Vec::with_capacity(count);
            array.extend((0..count).map(|_| make()));
            array.into_boxed_slice()
        }),
    }
}
