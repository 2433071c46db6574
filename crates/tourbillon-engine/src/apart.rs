//! Loops in which a call begins when the one before is over.
//!
//! In the loops that are timed for the figure, calls that do not wait for each other overlap in the
//! processor. Here a fence stands behind each of them, or none: what an op takes longer with it, but
//! for what the fence costs around an empty body, is what overlaps otherwise. The loop is the same for both, so
//! that the predictor of its jumps has learnt as much.

use core::mem::MaybeUninit;

use tourbillon_clock::Clock;

use crate::keep::{keep, observe, touch};

/// Whether this architecture has a fence that is known here.
pub(crate) const HAS_FENCE: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// If `there`, waits until everything before is done, and begins nothing of what follows before that: `lfence`
/// on x86-64 (AMD's too, where systems switch that on, as all do since 2018), `isb` behind a barrier for
/// loads on aarch64.
///
/// The jump is in the assembly, so that the compiler cannot make two loops of one.
#[inline(always)]
fn fence(there: u32) {
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

/// Calls `body` `ops` times, one after the other if `fenced`; returns the ticks.
#[inline(never)]
pub(crate) fn iterate_apart<R, F: FnMut() -> R>(
    clock: &Clock,
    body: &mut F,
    ops: u64,
    fenced: bool,
) -> u64 {
    let there = u32::from(fenced);
    let start = clock.start();
    for _ in 0..ops {
        touch(body);
        keep(body());
        fence(there);
    }
    clock.stop().0.wrapping_sub(start.0)
}

/// The same, once for every slot of `inputs`; outputs are dropped where they arise.
#[inline(never)]
pub(crate) fn window_apart<I, R, F: FnMut(&mut I) -> R>(
    clock: &Clock,
    body: &mut F,
    inputs: &mut [I],
    fenced: bool,
) -> u64 {
    let there = u32::from(fenced);
    let start = clock.start();
    for input in inputs {
        touch(body);
        keep(body(input));
        fence(there);
    }
    clock.stop().0.wrapping_sub(start.0)
}

/// The same, each output kept in the slot of `outputs` at the same place, for the caller to drop.
#[inline(never)]
pub(crate) fn window_keeping_apart<I, R, F: FnMut(&mut I) -> R>(
    clock: &Clock,
    body: &mut F,
    inputs: &mut [I],
    outputs: &mut [MaybeUninit<R>],
    fenced: bool,
) -> u64 {
    let there = u32::from(fenced);
    let start = clock.start();
    for (input, output) in inputs.iter_mut().zip(outputs) {
        touch(body);
        observe(output.write(body(input)));
        fence(there);
    }
    clock.stop().0.wrapping_sub(start.0)
}
