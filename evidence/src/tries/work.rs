//! Work of many kinds, whose steps can be counted.

use std::collections::HashMap;
use std::fmt::Write;

use examples::chase::{BYTES_PER_NODE, Ring};
use tourbillon::hide;

use super::{Change, Try, compared};

/// Compares a workload with itself, a change injected.
pub type Compared = fn(Change) -> Try;

/// The workloads, each with the comparison of it.
pub const WORKLOADS: [(&str, Compared); 6] = [
    ("arithmetic", arithmetic),
    ("sort", sort),
    ("hash map", hash_map),
    ("format", format),
    ("allocate", allocate),
    ("memory", memory),
];

/// Multiplications that wait for each other.
fn arithmetic(change: Change) -> Try {
    let body = |steps: u64| {
        let mut product = hide(3_u64);
        for _ in 0..steps {
            product = product.wrapping_mul(0x5851_F42D_4C95_7F2D) ^ 1;
        }
        product
    };
    compared("arithmetic", change, body, 10_000)
}

/// Copies and sorts blocks of sixteen numbers.
fn sort(change: Change) -> Try {
    let numbers: Vec<u32> = (0..16_u32)
        .map(|at| at.wrapping_mul(2_654_435_761))
        .collect();
    let numbers = &numbers;
    let body = move |steps: u64| {
        let mut first = 0;
        for _ in 0..steps {
            let mut block = [0; 16];
            block.copy_from_slice(hide(numbers));
            block.sort_unstable();
            first ^= block[0];
        }
        first
    };
    compared("sort", change, body, 1_000)
}

/// Looks numbers up.
fn hash_map(change: Change) -> Try {
    let map: HashMap<u64, u64> = (0..1_000).map(|key| (key * 7, key)).collect();
    let map = &map;
    let body = move |steps: u64| {
        let mut found = 0;
        for key in 0..steps {
            found += map.get(&(key % 2_000 * 7)).copied().unwrap_or(1);
        }
        found
    };
    compared("hash map", change, body, 1_000)
}

/// Writes numbers as text.
fn format(change: Change) -> Try {
    let body = |steps: u64| {
        let mut text = String::with_capacity(64);
        let mut length = 0;
        for number in 0..steps {
            text.clear();
            // Writing to a string does not fail.
            let _ = write!(text, "{:>8} of {}", hide(number), hide(1_234_567_u64));
            length += text.len();
        }
        length
    };
    compared("format", change, body, 1_000)
}

/// Makes and drops vectors.
fn allocate(change: Change) -> Try {
    let body = |steps: u64| {
        let mut sum = 0;
        for step in 0..steps {
            let block = hide(vec![step as u8; 16 + (step as usize * 37) % 200]);
            sum += block.len();
        }
        sum
    };
    compared("allocate", change, body, 1_000)
}

/// Follows pointers through 16 MiB, which no cache near the core holds.
fn memory(change: Change) -> Try {
    let chase = Ring::new((16 << 20) / BYTES_PER_NODE, 7);
    let chase = &chase;
    let body = move |steps: u64| {
        let mut at = hide(0);
        for _ in 0..steps {
            at = chase.next(at);
        }
        at
    };
    compared("memory", change, body, 1_000)
}
