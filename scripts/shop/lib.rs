//! What is compared by `scripts/builds-tries.sh`: work whose steps can be counted, and functions that have
//! nothing to do with it.

mod change;
pub mod unrelated;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use change::{PER_MILLE, RARELY_PER_MILLE};

/// One call in so many is a rare one.
const RARE_IN: u64 = 20;

/// How many steps a call takes.
#[derive(Default)]
pub struct Steps {
    call: u64,
}

impl Steps {
    /// Of the next call, where it is so many without a change.
    pub fn next(&mut self, steps: u64) -> u64 {
        self.call = (self.call + 1) % RARE_IN;
        let rarely = if self.call == 0 { RARELY_PER_MILLE } else { 0 };
        steps + steps * (PER_MILLE + rarely) / 1_000
    }
}

/// Multiplications that wait for each other.
#[inline(never)]
pub fn arithmetic(steps: u64) -> u64 {
    let mut product = steps;
    for _ in 0..steps {
        product = product.wrapping_mul(0x5851_F42D_4C95_7F2D) ^ 1;
    }
    product
}

/// Copies and sorts blocks of sixteen numbers.
#[inline(never)]
pub fn sort(numbers: &[u32; 16], steps: u64) -> u32 {
    let mut first = 0;
    for step in 0..steps {
        let mut block = *numbers;
        block[0] = step as u32;
        block.sort_unstable();
        first ^= block[3];
    }
    first
}

/// Looks numbers up, half of them in vain.
#[inline(never)]
pub fn map(map: &HashMap<u64, u64>, steps: u64) -> u64 {
    let mut found = 0;
    for key in 0..steps {
        found += map.get(&(key % 2_000 * 7)).copied().unwrap_or(1);
    }
    found
}

/// Writes numbers as text.
#[inline(never)]
pub fn format(text: &mut String, steps: u64) -> usize {
    let mut length = 0;
    for number in 0..steps {
        text.clear();
        let _ = write!(text, "{:>8} of {}", number, number * 1_234_567);
        length += text.len();
    }
    length
}

/// Makes and drops vectors.
#[inline(never)]
pub fn allocate(steps: u64) -> usize {
    let mut sum = 0;
    for step in 0..steps {
        let block = std::hint::black_box(vec![step as u8; 16 + (step as usize * 37) % 200]);
        sum += block.len();
    }
    sum
}

/// Looks for ranges in a tree.
#[inline(never)]
pub fn tree(tree: &BTreeMap<u64, u64>, steps: u64) -> u64 {
    let mut sum = 0_u64;
    for step in 0..steps {
        let from = step.wrapping_mul(2_654_435_761) % 7_000;
        sum += tree.range(from..).next().map_or(0, |(key, _)| *key);
    }
    sum
}
