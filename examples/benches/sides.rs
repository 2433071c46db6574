//! Six kinds of work, each twice, to be compared with itself: how often is it called different?
//!
//! The two sides of a work are the same machine code, which does not look at its argument, on data of
//! their own, at another place.
//! `scripts/sides.sh` compares them again and again.

use std::collections::HashMap;
use std::fmt::Write;
use std::process::ExitCode;

use examples::chase::{BYTES_PER_NODE, Ring};
use tourbillon::{Bencher, bench, hide};

/// Multiplications that wait for each other. The mark is what compiles the code that compares.
#[bench(args(side = ["a", "b"]), group = "arithmetic", reference)]
fn arithmetic(b: Bencher<'_>, side: &str) {
    _ = side;
    b.iter(|| {
        let mut product = hide(3_u64);
        for _ in 0..1_000 {
            product = product.wrapping_mul(0x5851_F42D_4C95_7F2D) ^ 1;
        }
        product
    });
}

/// Copies and sorts blocks of sixteen numbers.
#[bench(args(side = ["a", "b"]))]
fn sort(b: Bencher<'_>, side: &str) {
    _ = side;
    let numbers: Vec<u32> = (0..16_u32)
        .map(|at| at.wrapping_mul(2_654_435_761))
        .collect();
    b.iter(|| {
        let mut block = [0; 16];
        block.copy_from_slice(hide(&numbers));
        block.sort_unstable();
        block[0]
    });
}

/// Looks numbers up in a map that hashes with a seed of its own.
#[bench(args(side = ["a", "b"]))]
fn hash_map(b: Bencher<'_>, side: &str) {
    _ = side;
    let map: HashMap<u64, u64> = (0..1_000).map(|key| (key * 7, key)).collect();
    b.iter(|| {
        let mut found = 0;
        for key in 0..1_000 {
            found += map.get(&(key * 7)).copied().unwrap_or(1);
        }
        found
    });
}

/// Writes a number as text.
#[bench(args(side = ["a", "b"]))]
fn format(b: Bencher<'_>, side: &str) {
    _ = side;
    let mut text = String::with_capacity(64);
    b.iter(|| {
        text.clear();
        // Writing to a string does not fail.
        let _ = write!(text, "{:>8} of {}", hide(17), hide(1_234_567_u64));
        text.len()
    });
}

/// Makes vectors, which are dropped.
#[bench(args(side = ["a", "b"]))]
fn allocate(b: Bencher<'_>, side: &str) {
    _ = side;
    let mut step = 0_usize;
    b.iter(|| {
        step = step.wrapping_add(37);
        vec![step as u8; 16 + step % 200]
    });
}

/// Follows a thousand pointers through a megabyte: more than the first cache holds.
#[bench(args(side = ["a", "b"]))]
fn memory(b: Bencher<'_>, side: &str) {
    _ = side;
    let chase = Ring::new((1 << 20) / BYTES_PER_NODE, 7);
    b.iter(|| {
        let mut at = hide(0);
        for _ in 0..1_000 {
            at = chase.next(at);
        }
        at
    });
}

fn main() -> ExitCode {
    tourbillon::main()
}
