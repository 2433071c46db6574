//! Ordinary code measured by criterion.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use peers::with_bodies;

#[path = "../../../examples/benches/reproducible/plain.rs"]
mod plain;

macro_rules! benches {
    ($($name:ident $body:ident $input:expr;)+) => {
        $(
            fn $name(c: &mut Criterion) {
                let input = $input;
                c.bench_function(stringify!($name), |b| {
                    b.iter(|| plain::$body(black_box(input)));
                });
            }
        )+
        criterion_group!(bodies, $($name),+);
    };
}

with_bodies!(benches);
criterion_main!(bodies);
