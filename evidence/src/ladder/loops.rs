//! Rungs that call the body in a loop of their own, or not even that.

use std::time::Instant;

use super::{Rung, multiply, right, right_multiply};

/// Nanoseconds per iteration of something that was done `count` times since `start`.
fn per_call(start: Instant, count: u64) -> f64 {
    start.elapsed().as_nanos() as f64 / count as f64
}

/// One loop over the body, its results summed up so that they are needed.
fn summed(count: u64) -> f64 {
    let start = Instant::now();
    let mut sum = 0.0;
    for i in 0..count {
        sum += multiply(i as f64);
    }
    let ns = per_call(start, count);
    std::hint::black_box(sum);
    ns
}

pub(super) fn once() -> Rung {
    let x = std::hint::black_box(1.000_1);
    let start = Instant::now();
    let product = multiply(x);
    let wrong = per_call(start, 1);
    std::hint::black_box(product);
    Rung::new(
        "1 one start, one stop",
        wrong,
        right_multiply(),
        "Two readings of the clock take longer than the body, and the clock advances in steps.",
    )
}

pub(super) fn folded() -> Rung {
    let count = 1_000_000;
    let start = Instant::now();
    let mut product = 0.0;
    for _ in 0..count {
        product = multiply(1.000_1);
    }
    let wrong = per_call(start, count);
    std::hint::black_box(product);
    Rung::new(
        "2 a constant argument",
        wrong,
        right_multiply(),
        "The compiler knows the argument, so it has done the multiplications itself; the loop is \
         empty.",
    )
}

pub(super) fn dead() -> Rung {
    let count = 100_000_000;
    let start = Instant::now();
    for i in 0..count {
        let _ = multiply(i as f64);
    }
    let wrong = per_call(start, count);
    Rung::new(
        "3 an unused result",
        wrong,
        right_multiply(),
        "Nothing uses the result, so the call is dead code, and so is the loop around it.",
    )
}

pub(super) fn one_run() -> Rung {
    Rung::new(
        "4 a loop with a sum, once",
        summed(1_000_000),
        right_multiply(),
        "The calls of a loop overlap, or are done several at a time, and the sum is measured too; and \
         the error of a single run is unknown.",
    )
}

pub(super) fn no_spread() -> Rung {
    let runs: Vec<f64> = (0..10).map(|_| summed(10_000)).collect();
    let mean = runs.iter().sum::<f64>() / runs.len() as f64;
    let slowest = runs.iter().copied().fold(0.0, f64::max);
    let fastest = runs.iter().copied().fold(f64::INFINITY, f64::min);
    Rung::new(
        "5 the mean of ten",
        mean,
        super::Figure(format!("{fastest:.2} to {slowest:.2} ns")),
        "A mean without a spread hides what the runs did: one of them may have been interrupted, and \
         the first one found everything cold.",
    )
}

pub(super) fn fixed_count() -> Rung {
    // A hundred calls of a body of a nanosecond are over before the clock has moved on much.
    let x = std::hint::black_box(3_u64);
    let body = move || tourbillon::hide(x).rotate_left(7) ^ 5;
    let start = Instant::now();
    let mut last = 0;
    for _ in 0..10 {
        last = body();
    }
    let wrong = per_call(start, 10);
    std::hint::black_box(last);
    Rung::new(
        "6 ten calls, for any body",
        wrong,
        right(body),
        "A fixed count is too small for a fast body: what was measured is the clock. It has to grow \
         until the loop takes long enough, body by body.",
    )
}
