//! Rungs that take something for free that is not.

use std::hint::black_box;
use std::time::Instant;

use super::{Figure, Rung, right};

const COUNT: u64 = 10_000_000;

/// A body of less than a cycle: every overhead is larger.
fn body(x: u64) -> u64 {
    x.wrapping_add(1)
}

fn looped(mut call: impl FnMut(u64) -> u64) -> f64 {
    let start = Instant::now();
    for i in 0..COUNT {
        black_box(call(i));
    }
    start.elapsed().as_nanos() as f64 / COUNT as f64
}

fn right_body() -> Figure {
    let x = 1_u64;
    right(move || body(tourbillon::hide(x)))
}

pub(super) fn loop_subtracted() -> Rung {
    let whole = looped(body);
    let empty = looped(|i| i);
    Rung::new(
        "7 the empty loop taken off",
        whole - empty,
        right_body(),
        "The processor does the loop and the body at the same time, so the loop costs less next to the \
         body than alone: the difference is too small, or negative.",
    )
}

pub(super) fn standard_black_box() -> Rung {
    Rung::new(
        "8 std::hint::black_box",
        looped(|i| body(black_box(i))),
        right_body(),
        "The standard black box sends its value through memory: a store and a load, more than the \
         whole body. Tourbillon's keep and hide add no instruction.",
    )
}
