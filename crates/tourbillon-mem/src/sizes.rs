//! How large the blocks were that were asked for.

use std::fmt;
use std::ops::RangeInclusive;

use crate::size_text::Size;

/// One bucket for each number of bits that a size has.
const BUCKETS: usize = usize::BITS as usize + 1;
const LARGEST: usize = 5;
const FIRST: usize = 16;

/// Sizes of the blocks that were asked for: allocations by their size, reallocations by the new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    buckets: [u64; BUCKETS],
    largest: [usize; LARGEST],
    first: [usize; FIRST],
    requests: u64,
}

impl Sizes {
    pub(crate) const fn new() -> Self {
        Self {
            buckets: [0; BUCKETS],
            largest: [0; LARGEST],
            first: [0; FIRST],
            requests: 0,
        }
    }

    pub(crate) fn record(&mut self, bytes: usize) {
        let place = self.first().len();
        if let Some(slot) = self.first.get_mut(place) {
            *slot = bytes;
        }
        self.requests += 1;
        // As many bits as a size has at most are fewer than there are buckets.
        if let Some(count) = self.buckets.get_mut(bits(bytes)) {
            *count += 1;
        }
        self.enlist(bytes);
    }

    /// Adds what was recorded apart, all of it after what is here.
    pub(crate) fn append(&mut self, later: &Self) {
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

    /// Puts a size among the largest, which stay sorted, if it belongs there.
    fn enlist(&mut self, bytes: usize) {
        let mut bytes = bytes;
        for place in &mut self.largest {
            if bytes > *place {
                std::mem::swap(place, &mut bytes);
            }
        }
    }

    /// The largest sizes in bytes, five at most, the largest first.
    #[must_use]
    pub fn largest(&self) -> &[usize] {
        let count = self.requests.min(LARGEST as u64) as usize;
        &self.largest[..count]
    }

    /// The sizes in bytes in the order they were asked for, the first sixteen.
    #[must_use]
    pub fn first(&self) -> &[usize] {
        let count = self.requests.min(FIRST as u64) as usize;
        &self.first[..count]
    }

    /// How many blocks were asked for.
    #[must_use]
    pub const fn requests(&self) -> u64 {
        self.requests
    }

    /// Ranges of sizes in bytes, from one power of two to below the next, with how many blocks of such
    /// a size were asked for; those without any are left out.
    pub fn histogram(&self) -> impl Iterator<Item = (RangeInclusive<usize>, u64)> + '_ {
        self.buckets
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(bits, count)| (range(bits), *count))
    }
}

/// How many bits a size has.
const fn bits(bytes: usize) -> usize {
    (usize::BITS - bytes.leading_zeros()) as usize
}

/// The sizes that have so many bits.
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
            let (first, last) = (
                Size(*range.start() as u64),
                Size((*range.end() as u64).saturating_add(1)),
            );
            let noun = if count == 1 { "block" } else { "blocks" };
            writeln!(f, "{count} {noun} from {first} to below {last}")?;
        }
        f.write_str("largest: ")?;
        list(f, self.largest())
    }
}

/// Sizes with commas between them.
pub(crate) fn list(f: &mut fmt::Formatter<'_>, sizes: &[usize]) -> fmt::Result {
    for (index, bytes) in sizes.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{}", Size(*bytes as u64))?;
    }
    Ok(())
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
    fn a_part_is_appended_as_if_it_had_been_recorded_here() {
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
