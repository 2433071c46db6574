//! Ordinary code measured by divan.

use divan::{Bencher, black_box};
use peers::with_bodies;

#[path = "../../../examples/benches/reproducible/plain.rs"]
mod plain;

macro_rules! benches {
    ($($name:ident $body:ident $input:expr;)+) => {
        $(
            #[divan::bench]
            fn $name(b: Bencher) {
                let input = $input;
                b.bench_local(|| plain::$body(black_box(input)));
            }
        )+
    };
}

with_bodies!(benches);

fn main() {
    divan::main();
}
