//! Every way to read the time stamp counter, for comparison; [`super::Counter`] has the right ones.

use std::arch::asm;

use crate::Ticks;

/// Defines a function that reads by a sequence of instructions, of which the last ones leave the
/// counter in `rax` and `rdx`.
macro_rules! form {
    ($(#[$docs:meta])* $name:ident, $($instruction:literal),+) => {
        $(#[$docs])*
        #[inline(always)]
        pub fn $name() -> Ticks {
            let (low, high): (u64, u64);
            // SAFETY: reads registers and writes those that are declared; `rbx`, which `cpuid`
            // writes and the compiler keeps for itself, is saved by the sequences that have it.
            // Not `nomem`, so that the compiler moves no access to memory across it. Whoever calls
            // has seen that the processor has the instructions.
            unsafe {
                asm!(
                    $($instruction,)+
                    out("rax") low,
                    out("rdx") high,
                    out("rcx") _,
                    out("rsi") _,
                    options(nostack, preserves_flags),
                );
            }
            Ticks(high << 32 | low)
        }
    };
}

form!(
    /// As it comes.
    plain, "rdtsc"
);
form!(
    /// Waits for what is before.
    rdtscp, "rdtscp"
);
form!(
    /// Waits for what is before.
    fence_before, "lfence", "rdtsc"
);
form!(
    /// Waits on both sides: how a region is begun.
    fence_around, "lfence", "rdtsc", "lfence"
);
form!(
    /// Waits on both sides: how a region is ended.
    rdtscp_fence, "rdtscp", "lfence"
);
form!(
    /// Waits for what is before, its stores included.
    stores_before, "mfence", "lfence", "rdtsc"
);
form!(
    /// Waits until everything before is done and visible, whatever it is.
    serialize, ".byte 0x0f, 0x01, 0xe8", "rdtsc"
);
form!(
    /// As Intel's white paper 324264 (2010) has it; leaves the virtual machine at every reading.
    cpuid, "mov rsi, rbx", "mov eax, 0", "cpuid", "mov rbx, rsi", "rdtsc"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_read_the_same_counter() {
        let mut forms: Vec<fn() -> Ticks> =
            vec![plain, rdtscp, fence_before, fence_around, rdtscp_fence];
        forms.extend([stores_before as fn() -> Ticks, cpuid]);
        if crate::frequency_sources::cpuid::has_serialize() {
            forms.push(serialize);
        }
        for form in forms {
            // An unordered reading may be early by what is in flight, not by a millisecond.
            let before = plain().0;
            let reading = form().0;
            let after = fence_around().0;
            assert!(before.saturating_sub(10_000_000) < reading && reading < after + 10_000_000);
        }
    }
}
