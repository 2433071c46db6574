//! The fence of loops in which a call begins when the one before is over.
//!
//! In the loops that are timed for the figure, calls that do not wait for each other overlap in the
//! processor. In those that end in `_apart` a fence stands behind each of them, or none: what an op takes
//! longer with it, except for what the fence costs around an empty body, is what overlaps otherwise. The loop is
//! the same for both, so that the predictor of its jumps has learnt as much.

/// Whether this architecture has a fence that is known here.
pub(crate) const HAS_FENCE: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// If `there`, waits until everything before is done, and begins nothing of what follows before that: `lfence`
/// on x86-64 (AMD's too, where systems switch that on, as all do since 2018), `isb` behind a barrier for
/// loads on aarch64.
///
/// The jump is in the assembly, so that the compiler cannot make two loops of one.
#[inline(always)]
pub(crate) fn fence(there: u32) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a fence changes no value.
    unsafe {
        core::arch::asm!(
            "test {0:e}, {0:e}",
            "jz 2f",
            "lfence",
            "2:",
            in(reg) there,
            options(nostack),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: barriers change no value.
    unsafe {
        core::arch::asm!(
            "cbz {0:w}, 2f",
            "dsb ishld",
            "isb",
            "2:",
            in(reg) there,
            options(nostack, preserves_flags),
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = there;
}
