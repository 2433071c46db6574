//! Pairs of functions measured by divan.

use divan::{Bencher, black_box as hide};
use peers::with_pairs;

#[path = "../../../examples/benches/pairs/plain.rs"]
mod plain;

macro_rules! benches {
    ($($group:literal: $($case:ident = $body:expr),+;)+) => {
        $($(
            #[divan::bench]
            fn $case(b: Bencher) {
                measure(b, hide($body));
            }
        )+)+
    };
}

with_pairs!(benches);

/// One piece of machine code for both sides of a pair of the same code.
#[inline(never)]
fn measure<R>(b: Bencher, body: impl FnMut() -> R) {
    b.bench_local(body);
}

fn main() {
    divan::main();
}
