//! A branch on each of many numbers.

use std::cell::Cell;
use std::hint::black_box;

pub struct Rows {
    all: Vec<u32>,
    at: Cell<usize>,
}

impl Rows {
    pub fn new() -> Rows {
        let mut all = crate::numbers(1 << 16);
        all.sort_unstable();
        Rows {
            all,
            at: Cell::new(0),
        }
    }

    /// The next thousand rows: no processor can learn all of them.
    pub fn score(&self) -> u64 {
        let at = self.at.get();
        self.at.set((at + 997) % (self.all.len() - 1000));
        let mut sum = 0;
        for row in &self.all[at..at + 1000] {
            if *row < u32::MAX / 2 {
                sum = black_box(sum + 3);
            } else {
                sum = black_box(sum ^ 5);
            }
        }
        sum
    }
}
