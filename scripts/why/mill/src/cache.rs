//! A way through a table, each step of which needs the one before.

use std::cell::Cell;

const SIZE: usize = 1 << 11;

pub struct Table {
    next: Vec<u32>,
    at: Cell<u32>,
}

impl Table {
    /// One cycle through all places, in no order (Sattolo's).
    pub fn new() -> Table {
        let mut next: Vec<u32> = (0..SIZE as u32).collect();
        for (last, number) in crate::numbers(SIZE).into_iter().enumerate().skip(1).rev() {
            next.swap(last, number as usize % last);
        }
        Table {
            next,
            at: Cell::new(0),
        }
    }

    pub fn walk(&self) -> u32 {
        let mut at = self.at.get();
        for _ in 0..1000 {
            at = self.next[at as usize];
        }
        self.at.set(at);
        at
    }
}
