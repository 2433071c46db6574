//! A way through memory on which every step depends on the one before.

use crate::search::Draw;

/// A cache line of the processors of today.
pub const BYTES_PER_NODE: usize = 64;

/// Places per node: only the first is used, so that each step is in a line of its own.
const PLACES: usize = BYTES_PER_NODE / size_of::<u32>();

/// Nodes in a circle, each with the place of the next one.
#[derive(Clone, Debug)]
pub struct Ring {
    next: Vec<u32>,
}

impl Ring {
    /// A circle through `nodes` nodes in random order (Sattolo, "An algorithm to generate a random
    /// cyclic permutation", 1986).
    ///
    /// # Panics
    ///
    /// Without nodes there is no circle.
    pub fn new(nodes: usize, seed: u64) -> Self {
        assert!(nodes > 0, "a circle has at least one node");
        let mut draw = Draw::new(seed);
        let mut order: Vec<u32> = (0..nodes as u32).collect();
        for last in (1..nodes).rev() {
            order.swap(last, draw.below(last as u32) as usize);
        }
        let mut next = vec![0; nodes * PLACES];
        for (node, &follower) in order.iter().enumerate() {
            next[node * PLACES] = follower * PLACES as u32;
        }
        Self { next }
    }

    /// Nodes in it.
    pub fn len(&self) -> usize {
        self.next.len() / PLACES
    }

    /// Never: a circle has a node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the node at a place points to.
    #[inline]
    pub fn next(&self, place: usize) -> usize {
        self.next[place] as usize
    }

    /// Steps from the first node back to it: all of them, when it is one circle.
    pub fn way_round(&self) -> usize {
        let (mut place, mut steps) = (self.next(0), 1);
        while place != 0 && steps <= self.len() {
            place = self.next(place);
            steps += 1;
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::Ring;

    #[test]
    fn every_node_is_on_the_way_round() {
        for nodes in [1, 2, 3, 64, 1_000] {
            let ring = Ring::new(nodes, 3);
            assert_eq!((ring.len(), ring.way_round()), (nodes, nodes));
        }
    }

    #[test]
    fn the_order_is_random_and_the_seeds() {
        let ways = |seed| {
            let ring = Ring::new(64, seed);
            (0..64).map(|node| ring.next(node * 16)).collect::<Vec<_>>()
        };
        assert_eq!(ways(1), ways(1));
        assert_ne!(ways(1), ways(2));
    }
}
