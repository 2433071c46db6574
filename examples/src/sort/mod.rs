//! Three textbook algorithms, to be compared with those of the standard library.

mod heap;
mod quick;
mod selection;

pub use heap::heap;
pub use quick::quick;
pub use selection::selection;

#[cfg(test)]
mod tests {
    use super::{heap, quick, selection};
    use crate::shuffle::Shuffler;

    type Sort = fn(&mut [u32]);

    const ALGORITHMS: [(&str, Sort); 3] =
        [("selection", selection), ("quick", quick), ("heap", heap)];

    fn assert_sorts(items: &[u32]) {
        let mut expected = items.to_vec();
        expected.sort_unstable();
        for (name, sort) in ALGORITHMS {
            let mut sorted = items.to_vec();
            sort(&mut sorted);
            assert_eq!(sorted, expected, "{name} of {items:?}");
        }
    }

    #[test]
    fn every_sequence_of_up_to_six_items_out_of_four() {
        for length in 0..=6_u32 {
            for number in 0..4_u32.pow(length) {
                let items: Vec<u32> = (0..length).map(|digit| number >> (2 * digit) & 3).collect();
                assert_sorts(&items);
            }
        }
    }

    #[test]
    fn random_orders_of_every_small_size() {
        let mut shuffler = Shuffler::new(7);
        for length in 0..200 {
            let mut items: Vec<u32> = (0..length).collect();
            shuffler.shuffle(&mut items);
            assert_sorts(&items);
        }
    }

    #[test]
    fn ordered_reversed_and_equal_items() {
        let ordered: Vec<u32> = (0..2_000).collect();
        let reversed: Vec<u32> = ordered.iter().rev().copied().collect();
        for items in [ordered, reversed, vec![5; 2_000]] {
            assert_sorts(&items);
        }
    }
}
