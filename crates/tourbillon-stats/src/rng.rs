//! Random numbers.

use std::num::NonZeroU64;

/// Random numbers from a seed: the same seed gives the same numbers on every machine.
///
/// xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM
/// Transactions on Mathematical Software 47(4) (2021), article 36), started with four numbers of
/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
/// p. 459, fig. 16 and 17). Not for cryptography.
///
/// # Examples
///
/// ```
/// use tourbillon_stats::Rng;
///
/// let mut order: Vec<u32> = (0..10).collect();
/// Rng::new(7).shuffle(&mut order);
/// let mut again: Vec<u32> = (0..10).collect();
/// Rng::new(7).shuffle(&mut again);
/// assert_eq!(order, again);
/// ```
#[derive(Clone, Debug)]
pub struct Rng {
    seed: u64,
    state: [u64; 4],
}

impl Rng {
    /// Starts at the beginning of the sequence of a seed. All seeds are equally good.
    pub fn new(seed: u64) -> Rng {
        // Never all zero, which would stay zero: SplitMix64 yields every number once.
        Rng {
            seed,
            state: [0, 1, 2, 3].map(|index| split_mix(seed, index)),
        }
    }

    /// The seed of a child sequence, different for every label and independent of this sequence.
    ///
    /// Depends on the seed and the label only, not on the numbers drawn before: launch 17 has the
    /// same seed whatever the order of the launches.
    pub fn derive(&self, label: u64) -> u64 {
        split_mix(split_mix(self.seed, 0), label)
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// An integer from 0 to `bound` - 1, each with the same probability.
    ///
    /// The high half of a product; the few low halves that would bias the result are rejected:
    /// Lemire, "Fast random integer generation in an interval", ACM Transactions on Modeling and
    /// Computer Simulation 29(1) (2019), article 3, algorithm 5.
    pub fn below(&mut self, bound: NonZeroU64) -> u64 {
        let bound = bound.get();
        // 2^64 modulo the bound.
        let rejected = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            if product as u64 >= rejected {
                return (product >> 64) as u64;
            }
        }
    }

    /// The place of one of `length` items, each with the same probability.
    ///
    /// # Panics
    ///
    /// When there is no item.
    pub fn index(&mut self, length: usize) -> usize {
        let bound = NonZeroU64::new(length as u64);
        self.below(bound.expect("an item")) as usize
    }

    /// A fair coin.
    pub fn coin(&mut self) -> bool {
        self.next_u64() >> 63 == 1
    }

    /// Puts the items into random order. All orders are equally likely, up to 20 items; with 21
    /// there are more orders than seeds (Fisher and Yates; Knuth, The Art of Computer Programming,
    /// vol. 2, 3rd ed. 1997, algorithm 3.4.2 P).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

/// Number `index` of the SplitMix64 sequence that starts at `seed`.
fn split_mix(seed: u64, index: u64) -> u64 {
    let step = index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = seed.wrapping_add(step);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(n: u64) -> NonZeroU64 {
        NonZeroU64::new(n).unwrap()
    }

    #[test]
    fn split_mix_reference() {
        // Exact: the first outputs of the published C code for seeds 0 and 1234567.
        let zero = [
            0xE220_A839_7B1D_CDAF,
            0x6E78_9E6A_A1B9_65F4,
            0x06C4_5D18_8009_454F,
        ];
        assert_eq!([0, 1, 2].map(|i| split_mix(0, i)), zero);
        let other = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!([0, 1, 2].map(|i| split_mix(1_234_567, i)), other);
    }

    #[test]
    fn xoshiro_reference() {
        // Exact: the first outputs of the published C code for the state 1, 2, 3, 4.
        let mut rng = Rng {
            seed: 0,
            state: [1, 2, 3, 4],
        };
        let expected = [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386,
            9_228_616_714_210_784_205,
            9_973_669_472_204_895_162,
            14_011_001_112_246_962_877,
            12_406_186_145_184_390_807,
            15_849_039_046_786_891_736,
            10_450_023_813_501_588_000,
        ];
        assert_eq!(expected.map(|_| rng.next_u64()), expected);
    }

    #[test]
    fn below_is_even_to_the_last_number() {
        // With a bound of three quarters of 2^64, four inputs share three results: without rejection
        // every third result, such as 0, is drawn twice as often, half of all times. An even share is
        // a third: 10 000 of 30 000, with a standard deviation of 82.
        let three_quarters = bound(3 << 62);
        let mut rng = Rng::new(5);
        let mut counts = [0_u32; 3];
        for _ in 0..30_000 {
            counts[(rng.below(three_quarters) % 3) as usize] += 1;
        }
        assert!(
            counts.iter().all(|&c| c.abs_diff(10_000) < 410),
            "{counts:?}"
        );
        assert!((0..100).all(|_| rng.below(bound(1)) == 0));
        let mut dice = [0_u32; 6];
        for _ in 0..60_000 {
            dice[rng.index(6)] += 1;
        }
        assert!(dice.iter().all(|&c| c.abs_diff(10_000) < 460), "{dice:?}");
    }

    #[test]
    fn all_orders_are_equally_likely() {
        // 24 orders, 1000 expected of each; chi-squared with 23 degrees of freedom is below 62.2
        // with probability 1 - 2e-5. Swapping with any item (not only those before) fails this.
        let mut rng = Rng::new(3);
        let mut counts = [0_u32; 256];
        for _ in 0..24_000 {
            let mut items = [0_usize, 1, 2, 3];
            rng.shuffle(&mut items);
            counts[items.iter().fold(0, |code, item| code * 4 + item)] += 1;
        }
        let seen: Vec<u32> = counts.into_iter().filter(|&c| c > 0).collect();
        assert_eq!(seen.len(), 24);
        let chi: f64 = seen
            .iter()
            .map(|&c| (f64::from(c) - 1000.0).powi(2) / 1000.0)
            .sum();
        assert!(chi < 62.2, "{chi}");
        rng.shuffle::<u8>(&mut []);
    }

    #[test]
    fn the_coin_is_fair_and_independent() {
        let mut rng = Rng::new(1);
        let tosses: Vec<bool> = (0..40_000).map(|_| rng.coin()).collect();
        let heads = tosses.iter().filter(|&&t| t).count();
        let changes = tosses.windows(2).filter(|w| w[0] != w[1]).count();
        // Standard deviation 100 each.
        assert!(heads.abs_diff(20_000) < 450, "{heads}");
        assert!(changes.abs_diff(20_000) < 450, "{changes}");
    }

    #[test]
    fn children_depend_on_seed_and_label_alone() {
        let fresh = Rng::new(9);
        let mut used = fresh.clone();
        used.next_u64();
        assert_eq!(used.derive(4), fresh.derive(4));
        let mut seeds: Vec<u64> = (0..10_000).map(|label| fresh.derive(label)).collect();
        seeds.extend((0..10_000).map(|seed| Rng::new(seed).derive(4)));
        seeds.sort_unstable();
        seeds.dedup();
        // Label 4 of seed 9 is in both halves.
        assert_eq!(seeds.len(), 19_999);
    }
}
