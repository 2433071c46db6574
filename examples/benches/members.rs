//! Thirty functions, once with a reference and once without, for `scripts/members.sh`.

use std::hint::black_box;
use std::process::ExitCode;

fn steps(count: u32, factor: u64) -> u64 {
    let mut x = black_box(1_u64);
    for _ in 0..black_box(count) {
        x = x.wrapping_mul(factor).rotate_left(7) ^ 5;
    }
    x
}

/// The same functions in both groups, from a nanosecond to some tens of microseconds.
macro_rules! members {
    ($($name:ident: $steps:literal,)*) => {
        mod alone {
            $(#[tourbillon::bench]
            fn $name() -> u64 {
                super::steps($steps, 3)
            })*
        }

        mod compared {
            #[tourbillon::bench(group = "compared", reference)]
            fn first() -> u64 {
                super::steps(1, 3)
            }

            $(#[tourbillon::bench(group = "compared")]
            fn $name() -> u64 {
                super::steps($steps, 3)
            })*
        }
    };
}

members! {
    m01: 1, m02: 3, m03: 10, m04: 30, m05: 100, m06: 300, m07: 1_000, m08: 3_000, m09: 10_000, m10: 30_000,
    m11: 2, m12: 5, m13: 14, m14: 40, m15: 140, m16: 400, m17: 1_400, m18: 4_000, m19: 14_000, m20: 20_000,
    m21: 2, m22: 6, m23: 17, m24: 60, m25: 170, m26: 600, m27: 1_700, m28: 6_000, m29: 17_000, m30: 25_000,
}

fn main() -> ExitCode {
    tourbillon::main()
}
