//! Pairs of functions measured by criterion.

use std::hint::black_box as hide;

use criterion::{Criterion, criterion_group, criterion_main};
use peers::with_pairs;

#[path = "../../../examples/benches/pairs/plain.rs"]
mod plain;

macro_rules! benches {
    ($($group:literal: $($case:ident = $body:expr),+;)+) => {
        fn pairs(c: &mut Criterion) {
            $($({
                let mut body = hide($body);
                c.bench_function(stringify!($case), |b| b.iter(&mut body));
            })+)+
        }
    };
}

with_pairs!(benches);
criterion_group!(all, pairs);
criterion_main!(all);
