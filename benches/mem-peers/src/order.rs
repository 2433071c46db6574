//! A new random order for each round.

/// Orders from a seed: the same ones every time.
pub(crate) struct Order {
    state: u64,
}

impl Order {
    pub(crate) fn new(seed: u64) -> Order {
        Order { state: seed }
    }

    /// The numbers below `count` in random order (R. Durstenfeld, "Algorithm 235", 1964).
    pub(crate) fn next_of(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }

    /// A Weyl sequence, mixed: good enough to shuffle a handful.
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 31).wrapping_mul(0xd6e8_feb8_6659_fd93);
        ((u128::from(mixed ^ mixed >> 32) * limit as u128) >> 64) as usize
    }
}
