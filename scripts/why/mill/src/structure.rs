//! Which of some numbers are known.

use std::collections::HashSet;

pub type Known = HashSet<u32, foldhash::fast::FixedState>;

pub fn known(all: &Known, numbers: &[u32]) -> usize {
    numbers.iter().filter(|number| all.contains(*number)).count()
}
