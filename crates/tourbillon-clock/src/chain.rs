//! The reference chain: additions whose cost in cycles is known.
//!
//! Where there is no cycle counter, a chain of dependent additions stands in for one. Every x86-64
//! and 64-bit Arm processor that runs today adds registers in one cycle and cannot begin an
//! addition before its operand is there, so the time of the chain is the length of the core's cycle
//! at this moment.

use crate::{Clock, Ticks};

/// Additions in one turn of the loop: enough that the loop's own two instructions, which wait for
/// nothing in the chain, are done beside it.
const ADDS_PER_TURN: u64 = 100;

impl Clock {
    /// Times `adds` dependent additions of registers, one cycle of the core each; `adds` is a
    /// multiple of 100.
    ///
    /// `None` where there is no chain for this processor, where `adds` is zero or no multiple of
    /// 100, and where the clock went backwards.
    ///
    /// # Accuracy
    ///
    /// The readings of the clock are inside, some ten cycles, and the end of the loop, which may be
    /// predicted wrongly once: two lengths and their difference cancel both (docs/METHODOLOGY).
    /// Cycles are those of the core, which changes its frequency as it likes: the figure holds for
    /// the moment at which it was taken. A counter may advance in steps (26 ticks on AMD's Zen 5 at
    /// 2.6 GHz, [`resolution`](Clock::resolution) shows it): that is 0.4 % of 10 000 cycles, which a
    /// mean of several readings evens out and a median keeps.
    #[must_use]
    pub fn chain(&self, adds: u64) -> Option<Ticks> {
        if adds == 0 || !adds.is_multiple_of(ADDS_PER_TURN) {
            return None;
        }
        let (start, stop) = match self.script() {
            Some(script) => {
                let start = self.start();
                script.advance_cycles(adds as f64);
                (start, self.stop())
            }
            None => self.timed_turns(adds / ADDS_PER_TURN)?,
        };
        stop.since(start)
    }

    /// Not inlined, so that the chain lies at one place of a program for all who time it.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    fn timed_turns(&self, turns: u64) -> Option<(Ticks, Ticks)> {
        let start = self.start();
        // SAFETY: changes the two registers that are declared; `turns` is not zero, so that the
        // loop ends.
        unsafe {
            std::arch::asm!(
                ".p2align 6",
                "2:",
                ".rept 100",
                "add {x}, {x}",
                ".endr",
                "dec {turns}",
                "jnz 2b",
                x = inout(reg) 1_u64 => _,
                turns = inout(reg) turns => _,
                options(nostack),
            );
        }
        Some((start, self.stop()))
    }

    /// Not inlined, so that the chain lies at one place of a program for all who time it.
    #[cfg(target_arch = "aarch64")]
    #[inline(never)]
    fn timed_turns(&self, turns: u64) -> Option<(Ticks, Ticks)> {
        let start = self.start();
        // SAFETY: changes the two registers that are declared; `turns` is not zero, so that the
        // loop ends.
        unsafe {
            std::arch::asm!(
                ".p2align 6",
                "2:",
                ".rept 100",
                "add {x}, {x}, {x}",
                ".endr",
                "subs {turns}, {turns}, #1",
                "b.ne 2b",
                x = inout(reg) 1_u64 => _,
                turns = inout(reg) turns => _,
                options(nostack),
            );
        }
        Some((start, self.stop()))
    }

    /// No instruction of known cost is known here.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn timed_turns(&self, _turns: u64) -> Option<(Ticks, Ticks)> {
        None
    }
}
