//! Random orders, the same ones in every process.

/// Puts slices in random order. The sequence of orders depends on the seed alone.
///
/// The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014): quick, and far better than the few million draws of a benchmark can tell.
#[derive(Clone, Debug)]
pub struct Shuffler {
    state: u64,
}

impl Shuffler {
    /// A sequence of orders.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Puts `items` in an order of which every one is as likely as any other (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1);
            items.swap(last, other as usize);
        }
    }

    /// A number below `bound`. Its bias is `bound / 2^64`.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::Shuffler;

    #[test]
    fn the_generator_is_splitmix() {
        // The first outputs of the authors' program for this seed.
        let mut shuffler = Shuffler::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| shuffler.next()).collect();
        let known = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(first, known);
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..1_000).collect();
        Shuffler::new(1).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.iter().copied().eq(0..1_000));
    }

    #[test]
    fn the_seed_decides_and_orders_differ() {
        let orders = |seed| {
            let mut shuffler = Shuffler::new(seed);
            let mut items: Vec<u32> = (0..100).collect();
            shuffler.shuffle(&mut items);
            let first = items.clone();
            shuffler.shuffle(&mut items);
            (first, items)
        };
        assert_eq!(orders(1), orders(1));
        assert_ne!(orders(1), orders(2));
        let (first, second) = orders(1);
        assert_ne!(first, second);
    }

    #[test]
    fn every_place_is_reached() {
        let mut shuffler = Shuffler::new(3);
        let mut seen = [[false; 4]; 4];
        for _ in 0..200 {
            let mut items = [0, 1, 2, 3];
            shuffler.shuffle(&mut items);
            for (place, &item) in items.iter().enumerate() {
                seen[item][place] = true;
            }
        }
        assert_eq!(seen, [[true; 4]; 4]);
    }

    #[test]
    fn nothing_and_one_item_stay() {
        let mut none: [u32; 0] = [];
        Shuffler::new(1).shuffle(&mut none);
        let mut one = [7];
        Shuffler::new(1).shuffle(&mut one);
        assert_eq!(one, [7]);
    }
}
