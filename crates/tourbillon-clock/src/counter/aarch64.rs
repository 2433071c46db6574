//! The virtual counter of the generic timer on 64-bit Arm.
//!
//! The counter may be read speculatively and out of order; `isb` in front makes the reading wait
//! for what comes before, `isb` behind makes what follows wait for the reading (Arm Architecture
//! Reference Manual for A-profile, DDI 0487, "The Generic Timer in AArch64 state").

use std::arch::asm;

use crate::Ticks;

/// The virtual counter, `cntvct_el0`.
#[derive(Clone, Copy, Debug)]
pub struct Counter(());

impl Counter {
    /// Name of the source.
    pub const NAME: &str = "cntvct";

    /// The counter, untested: whether it is fit to measure with is decided by [`crate::Choice`].
    pub fn of_this_processor() -> Option<Counter> {
        Some(Counter(()))
    }

    /// Ticks per second as the firmware has stated them in `cntfrq_el0`; 0 where it has not.
    pub fn stated_hz(&self) -> u64 {
        let hz: u64;
        // SAFETY: reads a register that user code may read on every system that lets it read the
        // counter itself.
        unsafe {
            asm!("mrs {}, cntfrq_el0", out(reg) hz, options(nomem, nostack, preserves_flags));
        }
        // The upper half is reserved (DDI 0487, CNTFRQ_EL0).
        hz & u64::from(u32::MAX)
    }

    /// Reads after everything before and before everything after.
    #[inline(always)]
    pub fn start(&self) -> Ticks {
        let ticks: u64;
        // SAFETY: reads a register and writes the one that is declared. Not `nomem`, so that the
        // compiler moves no access to memory across it.
        unsafe {
            asm!(
                "isb",
                "mrs {}, cntvct_el0",
                "isb",
                out(reg) ticks,
                options(nostack, preserves_flags),
            );
        }
        Ticks(ticks)
    }

    /// The same instructions as at the start: Arm has no reading that waits by itself before
    /// version 8.6.
    #[inline(always)]
    pub fn stop(&self) -> Ticks {
        self.start()
    }

    /// Reads as it comes.
    #[inline(always)]
    pub fn now(&self) -> Ticks {
        let ticks: u64;
        // SAFETY: reads a register and writes the one that is declared.
        unsafe {
            asm!(
                "mrs {}, cntvct_el0",
                out(reg) ticks,
                options(nomem, nostack, preserves_flags),
            );
        }
        Ticks(ticks)
    }
}
