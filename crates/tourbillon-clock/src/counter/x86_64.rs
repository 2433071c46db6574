//! The time stamp counter of x86-64.
//!
//! The fences are those of Intel's Software Developer's Manual, volume 2B, RDTSC and RDTSCP:
//! `lfence` waits until every earlier instruction has executed and keeps later ones from starting;
//! `rdtscp` waits for the earlier ones by itself but lets later ones start. AMD's `lfence` does the
//! same since Linux and the other systems make it serializing at boot. `cpuid` as a fence would
//! leave the virtual machine at every reading.

use std::arch::asm;

use crate::Ticks;

/// The time stamp counter.
#[derive(Clone, Copy, Debug)]
pub struct Counter(());

impl Counter {
    /// Name of the source.
    pub const NAME: &str = "tsc";

    /// The counter, untested: whether it is fit to measure with is decided by [`crate::Choice`].
    pub fn of_this_processor() -> Option<Counter> {
        Some(Counter(()))
    }

    /// Reads after everything before and before everything after.
    #[inline(always)]
    pub fn start(&self) -> Ticks {
        let (low, high): (u64, u64);
        // SAFETY: reads a register and writes the two that are declared. Not `nomem`, so that the
        // compiler moves no access to memory across it.
        unsafe {
            asm!(
                "lfence",
                "rdtsc",
                "lfence",
                out("rax") low,
                out("rdx") high,
                options(nostack, preserves_flags),
            );
        }
        Ticks(high << 32 | low)
    }

    /// Reads after everything before and before everything after; `rdtscp` does the waiting in
    /// front with one instruction less inside the region.
    #[inline(always)]
    pub fn stop(&self) -> Ticks {
        let (low, high): (u64, u64);
        // SAFETY: reads a register and writes the three that are declared. Not `nomem`, so that
        // the compiler moves no access to memory across it.
        unsafe {
            asm!(
                "rdtscp",
                "lfence",
                out("rax") low,
                out("rdx") high,
                out("rcx") _,
                options(nostack, preserves_flags),
            );
        }
        Ticks(high << 32 | low)
    }

    /// Reads as it comes.
    #[inline(always)]
    pub fn now(&self) -> Ticks {
        let (low, high): (u64, u64);
        // SAFETY: reads a register and writes the two that are declared.
        unsafe {
            asm!(
                "rdtsc",
                out("rax") low,
                out("rdx") high,
                options(nomem, nostack, preserves_flags),
            );
        }
        Ticks(high << 32 | low)
    }
}
