//! Distributions of single calls: one that is known, one in which calls stall, and one of a map that grows.
//!
//! `cargo bench -p examples --bench latencies`; `scripts/latencies.sh` holds the first two against what is known of
//! them.

use std::collections::HashMap;

use tourbillon::{Bencher, bench, hide};

/// Multiplications of a short call, of a long one, and of one that stalls: each waits for the one before.
const SHORT: u32 = 4_000;
const LONG: u32 = 12_000;
const STALL: u32 = 1_000_000;

fn chain(multiplications: u32) -> u64 {
    (0..multiplications).fold(hide(3), |product: u64, _| {
        hide(product.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    })
}

/// Numbers that look random, from 0 to 999.
fn random() -> impl Iterator<Item = u64> {
    let next = |x: &u64| {
        Some(
            x.wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407),
        )
    };
    std::iter::successors(Some(1), next).map(|x| (x >> 33) % 1_000)
}

#[bench(group = "mixture")]
fn short(b: Bencher<'_>) {
    b.iter(|| chain(SHORT));
}

#[bench(group = "mixture")]
fn long(b: Bencher<'_>) {
    b.iter(|| chain(LONG));
}

/// 95 % short calls, 5 % long ones: p50 and p90 are those of a short call, p99 and p99.9 those of a long one.
#[bench(group = "mixture", min_iterations = 10_000, max_time = "3s")]
fn mixed(b: Bencher<'_>) {
    let mut random = random();
    b.latencies(|| {
        let is_long = random.next() < Some(50);
        chain(if is_long { LONG } else { SHORT })
    });
}

/// One call in a thousand stalls for as long as 250 others: calls one after the other show that in one call of a
/// thousand.
#[bench(group = "stall", min_iterations = 2_000, max_time = "3s")]
fn closed(b: Bencher<'_>) {
    let mut random = random();
    b.latencies(|| {
        chain(if random.next() == Some(0) {
            STALL
        } else {
            SHORT
        })
    });
}

/// The same at a fixed rate: all calls that were due during the stall wait.
#[bench(group = "stall", min_iterations = 2_000, max_time = "3s")]
fn open(b: Bencher<'_>) {
    let mut random = random();
    b.latencies_at(50_000.0, || {
        chain(if random.next() == Some(0) {
            STALL
        } else {
            SHORT
        })
    });
}

/// Most insertions are quick; some grow the table.
#[bench]
fn growing_map(b: Bencher<'_>) {
    let mut map = HashMap::new();
    let mut next = 0_u64;
    b.latencies(|| {
        for _ in 0..100 {
            map.insert(next.wrapping_mul(0x9e37_79b9_7f4a_7c15), next);
            next += 1;
        }
        if map.len() > 100_000 {
            map = HashMap::new();
        }
    });
}

/// Too short for it: a message, and no figure.
#[bench(ignore = "shows the message")]
fn too_short(b: Bencher<'_>) {
    b.latencies(|| chain(10));
}

fn main() -> std::process::ExitCode {
    tourbillon::main()
}
