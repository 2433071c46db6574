//! Bodies whose timed loops the assembly tests read. Compiled with optimisation by the tests.

pub mod outputs;

use tourbillon_clock::Clock;
use tourbillon_engine::{Arm, Chained, Iterated, Kept, Prepared, Reading};
use tourbillon_record::BatchShape;

fn plain<R>(body: impl FnMut() -> R, clock: &Clock, shape: BatchShape) -> Reading {
    Iterated::new(body, |_| Ok(())).batch(clock, shape)
}

/// Nothing at all.
#[unsafe(no_mangle)]
pub fn k_empty(clock: &Clock, shape: BatchShape) -> Reading {
    plain(|| (), clock, shape)
}

/// One captured integer, returned.
#[unsafe(no_mangle)]
pub fn k_captured(clock: &Clock, shape: BatchShape, y: u64) -> Reading {
    plain(move || y, clock, shape)
}

/// A pure function of captures: must not be hoisted out of the loop.
#[unsafe(no_mangle)]
pub fn k_pure(clock: &Clock, shape: BatchShape, a: u64, b: u64) -> Reading {
    plain(move || a.wrapping_mul(b), clock, shape)
}

/// A pure function of constants behind the captures' address: must not be folded.
#[unsafe(no_mangle)]
pub fn k_borrowed(clock: &Clock, shape: BatchShape, items: &[u64; 4]) -> Reading {
    plain(move || items[0] + items[1], clock, shape)
}

/// A float stays in a vector register.
#[unsafe(no_mangle)]
pub fn k_float(clock: &Clock, shape: BatchShape, x: f64, y: f64) -> Reading {
    plain(move || x * y, clock, shape)
}

/// Two words, in two registers.
#[unsafe(no_mangle)]
pub fn k_option(clock: &Clock, shape: BatchShape, x: u64) -> Reading {
    plain(move || x.checked_add(1), clock, shape)
}

/// A text: two words.
#[unsafe(no_mangle)]
pub fn k_text(clock: &Clock, shape: BatchShape, text: &str) -> Reading {
    plain(move || text, clock, shape)
}

/// A large output, by address.
#[unsafe(no_mangle)]
pub fn k_large(clock: &Clock, shape: BatchShape, x: u64) -> Reading {
    plain(move || [x; 5], clock, shape)
}

/// An output that needs dropping: kept in its slot.
#[unsafe(no_mangle)]
pub fn k_owned(clock: &Clock, shape: BatchShape, x: u64) -> Reading {
    Kept::outputs(move || Box::new(x), |_| Ok(())).batch(clock, shape)
}

/// A chain of integer multiplications.
#[unsafe(no_mangle)]
pub fn k_chain(clock: &Clock, shape: BatchShape, y: u64) -> Reading {
    Chained::new(move |x: u64| x.wrapping_mul(y), 1).batch(clock, shape)
}

/// A chain of float multiplications.
#[unsafe(no_mangle)]
pub fn k_chain_float(clock: &Clock, shape: BatchShape, y: f64) -> Reading {
    Chained::new(move |x: f64| x * y, 1.5).batch(clock, shape)
}

/// Prepared inputs.
#[unsafe(no_mangle)]
pub fn k_inputs(clock: &Clock, shape: BatchShape) -> Reading {
    let mut next = 0u64;
    let make = move || {
        next += 1;
        next
    };
    Prepared::borrowing(make, |x: &mut u64| x.wrapping_mul(3), false).batch(clock, shape)
}
