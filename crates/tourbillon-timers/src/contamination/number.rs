//! The number of the processor, by an instruction.

/// Reads `TSC_AUX` with `rdpid`, which orders nothing and takes a few cycles: Linux keeps the number
/// of the processor and of its node there (`arch/x86/include/asm/segment.h`). `rdtscp`, which reads it
/// on older processors, would be most of the cost of a window.
#[derive(Debug)]
pub(super) struct Number(());

impl Number {
    /// `None` where the processor has no such instruction, or the system no such habit.
    pub(super) fn of_this_processor() -> Option<Number> {
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        if tourbillon_clock::parts::cpuid::has_rdpid() {
            return Some(Number(()));
        }
        None
    }

    #[inline(always)]
    pub(super) fn read(&self) -> u32 {
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        {
            let number: u64;
            // SAFETY: the processor has the instruction, or there would be no `self`; it writes the
            // register that is declared. Not `nomem`, so that it stays where it is written.
            unsafe {
                std::arch::asm!("rdpid {}", out(reg) number, options(nostack, preserves_flags));
            }
            number as u32
        }
        #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
        0
    }
}
