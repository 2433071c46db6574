//! The timed loops: everything between two clock readings.
//!
//! One generic function per shape, called once per batch and never inlined into its caller. Each has
//! an inner loop of one copy of the body or, for bodies of a few cycles, of eight. The constant inner
//! loop lets LLVM unroll after inlining; textual copies of the body would keep it from inlining anything
//! but tiny ones (docs/decisions/0003).
//!
//! With `FENCES`, each call is followed by a fence that is enabled or not. Without it, calls that do not depend on each
//! other overlap in the processor, by the time that the fence adds minus the cost of the fence itself. Both variants
//! are one loop, so that the branch predictor sees the same history.
//!
//! All loops are in this module: rustc divides a crate into codegen units by module, and LLVM inlines a
//! body of any size that is called once in a unit. In modules of their own the two loops of a body would
//! get it inlined or not depending on the rest of the bench crate.

pub(crate) mod hide;
pub(crate) mod keep;
#[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) mod registers;

use core::mem::MaybeUninit;

use tourbillon_clock::{Clock, Ticks};

use hide::hide;
use keep::{keep, observe, touch};

/// Copies of the body in the inner loop of the unrolled form.
pub(crate) const UNROLLED: u32 = 8;

/// Fractional bits of the interval between two calls that are due, which is in ticks.
pub(crate) const INTERVAL_BITS: u32 = 16;

/// The readings around a timed region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamps {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl Stamps {
    #[inline(always)]
    fn new(start: Ticks, end: Ticks) -> Stamps {
        Stamps {
            start: start.0,
            end: end.0,
        }
    }

    pub(crate) fn ticks(self) -> u64 {
        self.end.wrapping_sub(self.start)
    }
}

/// Calls `body` `rounds * U` times.
#[inline(never)]
pub(crate) fn iterate<R, F: FnMut() -> R, const U: u32, const FENCES: bool>(
    clock: &Clock,
    body: &mut F,
    rounds: u64,
    fenced: bool,
) -> Stamps {
    let enabled = u32::from(fenced);
    let start = clock.start();
    for _ in 0..rounds {
        for _ in 0..U {
            touch(body);
            keep(body());
            if FENCES {
                fence(enabled);
            }
        }
    }
    Stamps::new(start, clock.stop())
}

/// Calls `body` `rounds * U` times, each time with the output of the call before.
#[inline(never)]
pub(crate) fn chain<T, F: FnMut(T) -> T, const U: u32>(
    clock: &Clock,
    body: &mut F,
    first: T,
    rounds: u64,
) -> Stamps {
    let mut value = hide(first);
    let start = clock.start();
    for _ in 0..rounds {
        for _ in 0..U {
            touch(body);
            value = hide(body(value));
        }
    }
    let stamps = Stamps::new(start, clock.stop());
    keep(value);
    stamps
}

/// Calls `body` once for every slot of `inputs`; outputs are dropped where they arise.
#[inline(never)]
pub(crate) fn window<I, R, F: FnMut(&mut I) -> R, const FENCES: bool>(
    clock: &Clock,
    body: &mut F,
    inputs: &mut [I],
    fenced: bool,
) -> Stamps {
    let enabled = u32::from(fenced);
    let start = clock.start();
    for input in inputs {
        touch(body);
        keep(body(input));
        if FENCES {
            fence(enabled);
        }
    }
    Stamps::new(start, clock.stop())
}

/// Calls `body` once for every slot of `inputs` and keeps each output in the slot of `outputs` at
/// the same place, for the caller to drop.
#[inline(never)]
pub(crate) fn window_keeping<I, R, F: FnMut(&mut I) -> R, const FENCES: bool>(
    clock: &Clock,
    body: &mut F,
    inputs: &mut [I],
    outputs: &mut [MaybeUninit<R>],
    fenced: bool,
) -> Stamps {
    let enabled = u32::from(fenced);
    let start = clock.start();
    for (input, output) in inputs.iter_mut().zip(outputs) {
        touch(body);
        observe(output.write(body(input)));
        if FENCES {
            fence(enabled);
        }
    }
    Stamps::new(start, clock.stop())
}

/// Calls `body` `count` times with one item after the other, from the place `at` on and from the
/// beginning again after the last. There is at least one item.
#[inline(never)]
pub(crate) fn stream<I, R, F: FnMut(&I) -> R>(
    clock: &Clock,
    body: &mut F,
    items: &[I],
    at: &mut usize,
    count: usize,
) -> Stamps {
    let start = clock.start();
    let (mut from, mut left) = (*at, count);
    while left > 0 {
        let to = items.len().min(from + left);
        for item in &items[from..to] {
            touch(body);
            keep(body(item));
        }
        left -= to - from;
        from = if to == items.len() { 0 } else { to };
    }
    *at = from;
    Stamps::new(start, clock.stop())
}

/// The same for as many items as there are `outputs`, each output kept in its slot for the caller to
/// drop.
#[inline(never)]
pub(crate) fn stream_keeping<I, R, F: FnMut(&I) -> R>(
    clock: &Clock,
    body: &mut F,
    items: &[I],
    at: &mut usize,
    outputs: &mut [MaybeUninit<R>],
) -> Stamps {
    let start = clock.start();
    let (mut from, mut rest) = (*at, outputs);
    while !rest.is_empty() {
        let some = rest.len().min(items.len() - from);
        let (slots, after) = rest.split_at_mut(some);
        for (item, output) in items[from..].iter().zip(slots) {
            touch(body);
            observe(output.write(body(item)));
        }
        rest = after;
        from += some;
        if from == items.len() {
            from = 0;
        }
    }
    *at = from;
    Stamps::new(start, clock.stop())
}

/// Calls `body` once for every slot of `ends`, and reads the clock after each call.
#[inline(never)]
pub(crate) fn one_by_one<R, F: FnMut() -> R>(
    clock: &Clock,
    body: &mut F,
    ends: &mut [u64],
) -> Stamps {
    let start = clock.start();
    for end in ends {
        touch(body);
        keep(body());
        *end = clock.lap().0;
    }
    Stamps::new(start, clock.stop())
}

/// Calls `body` once for every slot of `durations`, each call when it is due: `interval` 65536ths of a tick after
/// the one before, or when that has ended. A slot gets the ticks from the time at which the call was due to its
/// end. Returns the ticks inside calls.
///
/// An output is dropped after its call, in the time of the next one.
#[inline(never)]
pub(crate) fn when_due<R, F: FnMut() -> R>(
    clock: &Clock,
    body: &mut F,
    interval: u64,
    durations: &mut [u64],
) -> u64 {
    let start = clock.start().0;
    let (mut due, mut ended, mut inside) = (0_u64, 0, 0);
    for duration in durations {
        let due_ticks = due >> INTERVAL_BITS;
        let mut begun = ended;
        while begun < due_ticks {
            core::hint::spin_loop();
            begun = clock.now().0.wrapping_sub(start);
        }
        touch(body);
        let output = hide(body());
        ended = clock.lap().0.wrapping_sub(start);
        keep(output);
        *duration = ended.saturating_sub(due_ticks);
        inside += ended.saturating_sub(begun);
        due += interval;
    }
    let _ = clock.stop();
    inside
}

/// Whether there is a fence for this architecture.
pub(crate) const HAS_FENCE: bool = cfg!(all(
    not(miri),
    any(target_arch = "x86_64", target_arch = "aarch64")
));

/// If `enabled`, waits until everything before is done, and begins nothing after it before that: `lfence` on
/// x86-64 (on AMD too, if the system enables that, as all do since 2018), `isb` after a barrier for loads on
/// aarch64.
///
/// The jump is in the assembly, so that the compiler cannot unswitch the loop.
#[inline(always)]
pub(crate) fn fence(enabled: u32) {
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    // SAFETY: a fence changes no value.
    unsafe {
        core::arch::asm!(
            "test {0:e}, {0:e}",
            "jz 2f",
            "lfence",
            "2:",
            in(reg) enabled,
            options(nostack),
        );
    }
    #[cfg(all(not(miri), target_arch = "aarch64"))]
    // SAFETY: barriers change no value.
    unsafe {
        core::arch::asm!(
            "cbz {0:w}, 2f",
            "dsb ishld",
            "isb",
            "2:",
            in(reg) enabled,
            options(nostack, preserves_flags),
        );
    }
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    let _ = enabled;
}
