//! What a region may record beyond counts: sizes of blocks, and what they occupy.

use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::ops::RangeInclusive;

use crate::size_text::Size;
use crate::usable::BlockSize;

/// One bucket for each number of bits that a size has.
const BUCKETS: usize = usize::BITS as usize + 1;
const LARGEST: usize = 5;
const FIRST: usize = 16;

/// Sizes of requested blocks, from [`count`](crate::count): allocations by their size, reallocations by the
/// new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    buckets: [u64; BUCKETS],
    largest: [usize; LARGEST],
    first: [usize; FIRST],
    requests: u64,
}

impl Sizes {
    const fn new() -> Self {
        Self {
            buckets: [0; BUCKETS],
            largest: [0; LARGEST],
            first: [0; FIRST],
            requests: 0,
        }
    }

    fn record(&mut self, bytes: usize) {
        let place = self.first().len();
        if let Some(slot) = self.first.get_mut(place) {
            *slot = bytes;
        }
        self.requests += 1;
        // A size has at most as many bits as there are buckets but one.
        if let Some(count) = self.buckets.get_mut(bits(bytes)) {
            *count += 1;
        }
        self.enlist(bytes);
    }

    /// Adds sizes that were recorded later.
    fn append(&mut self, later: &Self) {
        let place = self.first().len();
        for (slot, bytes) in self.first[place..].iter_mut().zip(later.first()) {
            *slot = *bytes;
        }
        self.requests += later.requests;
        for (count, more) in self.buckets.iter_mut().zip(&later.buckets) {
            *count += more;
        }
        for bytes in later.largest() {
            self.enlist(*bytes);
        }
    }

    /// Inserts a size into the largest, which stay sorted, if it belongs there.
    fn enlist(&mut self, bytes: usize) {
        let mut bytes = bytes;
        for place in &mut self.largest {
            if bytes > *place {
                std::mem::swap(place, &mut bytes);
            }
        }
    }

    /// The largest sizes in bytes, at most five, in descending order.
    #[must_use]
    pub fn largest(&self) -> &[usize] {
        let count = self.requests.min(LARGEST as u64) as usize;
        &self.largest[..count]
    }

    /// The first sixteen sizes in bytes, in the order of the requests.
    #[must_use]
    pub fn first(&self) -> &[usize] {
        let count = self.requests.min(FIRST as u64) as usize;
        &self.first[..count]
    }

    /// Number of requested blocks.
    #[must_use]
    pub const fn requests(&self) -> u64 {
        self.requests
    }

    /// Ranges of sizes in bytes, from one power of two to below the next, with the number of requests;
    /// empty ranges are omitted.
    pub fn histogram(&self) -> impl Iterator<Item = (RangeInclusive<usize>, u64)> + '_ {
        self.buckets
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(bits, count)| (range(bits), *count))
    }
}

/// Number of bits of a size.
const fn bits(bytes: usize) -> usize {
    (usize::BITS - bytes.leading_zeros()) as usize
}

/// The sizes that have this many bits.
const fn range(bits: usize) -> RangeInclusive<usize> {
    if bits == 0 {
        return 0..=0;
    }
    let first = 1 << (bits - 1);
    first..=first + (first - 1)
}

/// One line for each range of sizes, and the largest.
impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.requests == 0 {
            return f.write_str("no blocks");
        }
        for (range, count) in self.histogram() {
            let first = Size(*range.start() as u64);
            let end = Size((*range.end() as u64).saturating_add(1));
            let noun = if count == 1 { "block" } else { "blocks" };
            writeln!(f, "{count} {noun} from {first} to below {end}")?;
        }
        write!(f, "largest: {}", List(self.largest()))
    }
}

/// Sizes with commas between them.
pub(crate) struct List<'a>(pub(crate) &'a [usize]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, bytes) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{}", Size(*bytes as u64))?;
        }
        Ok(())
    }
}

/// Bytes that live blocks occupy more or fewer than at the beginning; `None` once the allocator did not
/// report the size of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) usable_bytes: Option<i64>,
    pub(crate) chunk_bytes: Option<i64>,
}

impl Extent {
    pub(crate) const NOTHING: Self = Self {
        usable_bytes: Some(0),
        chunk_bytes: Some(0),
    };

    fn of(size: Option<BlockSize>) -> Self {
        Self {
            usable_bytes: size.map(|size| size.usable_bytes as i64),
            chunk_bytes: size
                .and_then(|size| size.chunk_bytes)
                .map(|bytes| bytes as i64),
        }
    }

    fn with(self, other: Self, combine: fn(i64, i64) -> i64) -> Self {
        let both = |a: Option<i64>, b: Option<i64>| Some(combine(a?, b?));
        Self {
            usable_bytes: both(self.usable_bytes, other.usable_bytes),
            chunk_bytes: both(self.chunk_bytes, other.chunk_bytes),
        }
    }

    fn plus(self, more: Self) -> Self {
        self.with(more, |a, b| a + b)
    }

    pub(crate) fn less(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }
}

/// What the hooks write to while a region is open that wants details.
pub(crate) struct Details {
    sizes: UnsafeCell<Sizes>,
    extent: Cell<Extent>,
}

impl Details {
    pub(crate) const fn new() -> Self {
        Self {
            sizes: UnsafeCell::new(Sizes::new()),
            extent: Cell::new(Extent::NOTHING),
        }
    }

    /// A block of this many bytes was made, which occupies `size`.
    pub(crate) fn made(&self, bytes: usize, size: Option<BlockSize>) {
        self.with_sizes(|sizes| sizes.record(bytes));
        self.extent.set(self.extent.get().plus(Extent::of(size)));
    }

    /// A block is gone that occupied `size`.
    pub(crate) fn gone(&self, size: Option<BlockSize>) {
        self.extent.set(self.extent.get().less(Extent::of(size)));
    }

    /// Adds what was recorded later.
    pub(crate) fn append(&self, later: &Self) {
        self.with_sizes(|sizes| later.with_sizes(|later| sizes.append(later)));
        self.extent.set(self.extent.get().plus(later.extent.get()));
    }

    /// The sizes and the extent so far.
    pub(crate) fn read(&self) -> (Sizes, Extent) {
        (self.with_sizes(|sizes| sizes.clone()), self.extent.get())
    }

    fn with_sizes<R>(&self, use_them: impl FnOnce(&mut Sizes) -> R) -> R {
        // SAFETY: the type stays on one thread, and the closures passed here neither allocate, which
        // would call a hook, nor come here again with the same details.
        use_them(unsafe { &mut *self.sizes.get() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(sizes: &[usize]) -> Sizes {
        let mut all = Sizes::new();
        for bytes in sizes {
            all.record(*bytes);
        }
        all
    }

    #[test]
    fn ranges_meet_without_gap_or_overlap() {
        assert_eq!(range(0), 0..=0);
        assert_eq!(range(1), 1..=1);
        assert_eq!(range(BUCKETS - 1).end(), &usize::MAX);
        for bits in 1..BUCKETS {
            assert_eq!(*range(bits).start(), *range(bits - 1).end() + 1);
            assert_eq!(super::bits(*range(bits).start()), bits);
            assert_eq!(super::bits(*range(bits).end()), bits);
        }
    }

    #[test]
    fn the_largest_are_kept_in_order() {
        let all = recorded(&[3, 9, 1, 9, 4, 2, 100, 5]);
        assert_eq!(all.largest(), [100, 9, 9, 5, 4]);
        assert_eq!(all.first(), [3, 9, 1, 9, 4, 2, 100, 5]);
        assert_eq!(recorded(&[7]).largest(), [7]);
        assert_eq!(recorded(&[]).largest(), [0_usize; 0]);
    }

    #[test]
    fn an_appended_part_equals_a_recorded_one() {
        for cut in 0..40 {
            let sizes: Vec<usize> = (0..40).map(|k| (k * 7919) % 1000 + 1).collect();
            let mut whole = recorded(&sizes[..cut]);
            whole.append(&recorded(&sizes[cut..]));
            assert_eq!(whole, recorded(&sizes));
        }
    }

    #[test]
    fn the_text_names_ranges_and_the_largest() {
        assert_eq!(recorded(&[]).to_string(), "no blocks");
        let expected = "2 blocks from 16 B to below 32 B\n1 block from 1.0 KiB to below 2.0 KiB\n\
                        largest: 1.5 KiB, 24 B, 16 B";
        assert_eq!(recorded(&[24, 1536, 16]).to_string(), expected);
    }
}
