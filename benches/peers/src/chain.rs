//! How long the core's cycle is at this moment.

use std::arch::asm;
use std::time::Instant;

/// Multiplications that wait for each other in one turn of the loop.
const PER_TURN: u32 = 100;
/// Cycles that one takes: Intel since Nehalem, AMD since Zen.
const LATENCY: u32 = 3;
/// Turns of the short and the long reading, whose difference has no fixed cost in it.
const TURNS: (u32, u32) = (20, 220);
/// Pairs of readings in one result.
const PAIRS: usize = 7;
/// How far a pair may be from the middle one: what is farther was interrupted.
const NEAR: f64 = 0.003;

/// Nanoseconds of a cycle, by the system's monotonic clock and a chain of instructions whose cost in
/// cycles is known. Takes about 150 microseconds.
pub fn nanos_per_cycle() -> f64 {
    let cycles = f64::from((TURNS.1 - TURNS.0) * PER_TURN * LATENCY);
    let mut readings = [0.0; PAIRS];
    for reading in &mut readings {
        *reading = (time(TURNS.1) - time(TURNS.0)) / cycles;
    }
    readings.sort_by(f64::total_cmp);
    let middle = readings[PAIRS / 2];
    let near = readings
        .iter()
        .filter(|r| (*r / middle - 1.0).abs() <= NEAR);
    near.clone().sum::<f64>() / near.count() as f64
}

/// Nanoseconds of so many turns, at least one.
#[inline(never)]
fn time(turns: u32) -> f64 {
    let start = Instant::now();
    // SAFETY: changes the two registers that are declared and the flags; the number of turns is not
    // zero, so that the loop ends.
    unsafe {
        asm!(
            ".p2align 6",
            "2:",
            ".rept {per_turn}",
            "imul {x:e}, {x:e}",
            ".endr",
            "dec {turns:e}",
            "jnz 2b",
            per_turn = const PER_TURN,
            x = inout(reg) 3_u32 => _,
            turns = inout(reg) turns => _,
            options(nostack),
        );
    }
    start.elapsed().as_nanos() as f64
}
