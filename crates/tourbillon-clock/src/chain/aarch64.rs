//! Turns of a hundred instructions that wait for each other.

use crate::{Clock, Ticks};

/// The loop around a hundred copies of an instruction, between two readings of a clock.
macro_rules! timed {
    ($clock:expr, $turns:expr, $instruction:literal) => {{
        let start = $clock.start();
        // SAFETY: changes the two registers that are declared and the flags; the number of turns is
        // not zero, so that the loop ends.
        unsafe {
            std::arch::asm!(
                ".p2align 6",
                "2:",
                ".rept 100",
                $instruction,
                ".endr",
                "subs {turns}, {turns}, #1",
                "b.ne 2b",
                x = inout(reg) 3_u64 => _,
                turns = inout(reg) $turns => _,
                options(nostack),
            );
        }
        Some((start, $clock.stop()))
    }};
}

/// Additions; not inlined, so that they lie at one place of a program for all who time them.
#[inline(never)]
pub(super) fn additions(clock: &Clock, turns: u64) -> Option<(Ticks, Ticks)> {
    timed!(clock, turns, "add {x}, {x}, {x}")
}

/// Multiplications of 32 bits: on some processors those of 64 take longer.
#[inline(never)]
pub(super) fn multiplications(clock: &Clock, turns: u64) -> Option<(Ticks, Ticks)> {
    timed!(clock, turns, "mul {x:w}, {x:w}, {x:w}")
}
