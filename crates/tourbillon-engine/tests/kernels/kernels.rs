//! Bodies whose timed loops the assembly tests read. Compiled with optimisation by the tests.

pub mod outputs;

use tourbillon_clock::Clock;
use tourbillon_engine::{Arm, Chained, Iterated, Kept, Prepared, Reading, Stretch};

fn plain<R>(body: impl FnMut() -> R, clock: &Clock, stretch: Stretch) -> Reading {
    Iterated::new(body, |_| Ok(())).batch(clock, stretch)
}

/// Nothing at all.
#[unsafe(no_mangle)]
pub fn k_empty(clock: &Clock, stretch: Stretch) -> Reading {
    plain(|| (), clock, stretch)
}

/// One captured integer, returned.
#[unsafe(no_mangle)]
pub fn k_captured(clock: &Clock, stretch: Stretch, y: u64) -> Reading {
    plain(move || y, clock, stretch)
}

/// A pure function of captures: must not be hoisted out of the loop.
#[unsafe(no_mangle)]
pub fn k_pure(clock: &Clock, stretch: Stretch, a: u64, b: u64) -> Reading {
    plain(move || a.wrapping_mul(b), clock, stretch)
}

/// A pure function of constants behind the captures' address: must not be folded.
#[unsafe(no_mangle)]
pub fn k_borrowed(clock: &Clock, stretch: Stretch, items: &[u64; 4]) -> Reading {
    plain(move || items[0] + items[1], clock, stretch)
}

/// A float stays in a vector register.
#[unsafe(no_mangle)]
pub fn k_float(clock: &Clock, stretch: Stretch, x: f64, y: f64) -> Reading {
    plain(move || x * y, clock, stretch)
}

/// Two words, in two registers.
#[unsafe(no_mangle)]
pub fn k_option(clock: &Clock, stretch: Stretch, x: u64) -> Reading {
    plain(move || x.checked_add(1), clock, stretch)
}

/// A text: two words.
#[unsafe(no_mangle)]
pub fn k_text(clock: &Clock, stretch: Stretch, text: &str) -> Reading {
    plain(move || text, clock, stretch)
}

/// A large output, by address.
#[unsafe(no_mangle)]
pub fn k_large(clock: &Clock, stretch: Stretch, x: u64) -> Reading {
    plain(move || [x; 5], clock, stretch)
}

/// An output that needs dropping: kept in its slot.
#[unsafe(no_mangle)]
pub fn k_owned(clock: &Clock, stretch: Stretch, x: u64) -> Reading {
    Kept::outputs(move || Box::new(x), |_| Ok(())).batch(clock, stretch)
}

/// A chain of integer multiplications.
#[unsafe(no_mangle)]
pub fn k_chain(clock: &Clock, stretch: Stretch, y: u64) -> Reading {
    Chained::new(move |x: u64| x.wrapping_mul(y), 1).batch(clock, stretch)
}

/// A chain of float multiplications.
#[unsafe(no_mangle)]
pub fn k_chain_float(clock: &Clock, stretch: Stretch, y: f64) -> Reading {
    Chained::new(move |x: f64| x * y, 1.5).batch(clock, stretch)
}

/// Prepared inputs.
#[unsafe(no_mangle)]
pub fn k_inputs(clock: &Clock, stretch: Stretch) -> Reading {
    let mut next = 0u64;
    let make = move || {
        next += 1;
        next
    };
    Prepared::borrowing(make, |x: &mut u64| x.wrapping_mul(3), false).batch(clock, stretch)
}
