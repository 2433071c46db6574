//! What the searching benchmarks share.

/// Items that are prepared: so many that no branch predictor learns their searches by heart, and read
/// one after the other, so that fetching one takes a cycle or two.
pub const FETCHED: usize = 1 << 18;

/// So few that the predictors of today do learn them: see `learned` among the benchmarks.
pub const LEARNED: usize = 1 << 10;

/// The array that is searched: the first `n` odd numbers, so that every even number is missing.
pub fn odd(n: u32) -> Vec<u32> {
    (0..n).map(item).collect()
}

/// The item at a place of that array.
pub fn item(place: u32) -> u32 {
    2 * place + 1
}

/// The place of an item in a sorted array, by halving what is left of it.
pub fn search(array: &[u32], item: u32) -> Option<usize> {
    let (mut low, mut high) = (0, array.len());
    while low < high {
        let middle = low + (high - low) / 2;
        match array[middle].cmp(&item) {
            std::cmp::Ordering::Equal => return Some(middle),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}

/// Numbers that look random: xorshift64* (Marsaglia, "Xorshift RNGs", 2003; Vigna, 2016).
#[derive(Clone, Debug)]
pub struct Draw {
    state: u64,
}

impl Draw {
    /// A sequence; the same for the same seed.
    pub fn new(seed: u64) -> Self {
        // Zero is the one state that never changes.
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let high = self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        ((high * u64::from(bound)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_what_the_standard_library_finds() {
        for n in [0, 1, 2, 3, 100, 257] {
            let array = odd(n);
            for item in 0..2 * n + 2 {
                let expected = array.binary_search(&item).ok();
                assert_eq!(search(&array, item), expected, "{item} of {n}");
            }
        }
    }

    #[test]
    fn draws_reach_every_number_and_nothing_else() {
        let mut draw = Draw::new(7);
        let mut seen = [false; 10];
        for _ in 0..1_000 {
            seen[draw.below(10) as usize] = true;
        }
        assert_eq!(seen, [true; 10]);
    }
}
