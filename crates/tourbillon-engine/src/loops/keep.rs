//! Keep: make a value observable without changing the code that made it.
//!
//! A value is handed to an empty piece of assembly in the [registers](super::registers) that can hold it.

#[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
use core::mem::MaybeUninit;

#[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
use super::registers::{Holder, by_register, halves, holder, widen};

/// Makes `value` observable, as if it were written to a place that is read, then drops it.
///
/// The optimiser has to compute the value; no instruction is added where it sits in registers (up
/// to 16 bytes). It also forgets what it knows of memory, so nothing read from memory is taken out
/// of a loop around it. Unlike [`std::hint::black_box`] it does not hand the value back, which would
/// force it through memory.
///
/// # Examples
///
/// ```
/// let sum: u64 = (0..100).sum();
/// tourbillon_engine::keep(sum);
/// ```
#[inline(always)]
pub fn keep<T>(value: T) {
    observe(&value);
}

/// Makes the value behind `value` observable.
#[inline(always)]
#[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn observe<T>(value: &T) {
    macro_rules! sink {
        ($held:ty, $class:ident, $template:expr) => {{
            let held: MaybeUninit<$held> = widen(value);
            // SAFETY: an empty piece of assembly that reads nothing but its operand.
            unsafe { core::arch::asm!($template, in($class) held, options(nostack, preserves_flags)) }
        }};
    }
    by_register!(holder::<T>(), sink, sink, {
        // SAFETY: an empty piece of assembly without an operand.
        Holder::Nothing => unsafe { core::arch::asm!("", options(nostack, preserves_flags)) },
        Holder::Two => {
            let [low, high] = halves(widen::<T, [u64; 2]>(value));
            // SAFETY: an empty piece of assembly that reads nothing but its operands.
            unsafe {
                core::arch::asm!("/* {0} {1} */", in(reg) low, in(reg) high, options(nostack, preserves_flags));
            }
        }
        // SAFETY: as above; the memory clobber makes the pointee observable.
        Holder::Memory => unsafe {
            core::arch::asm!("/* {0} */", in(reg) core::ptr::from_ref(value), options(nostack, preserves_flags));
        },
    })
}

/// Makes the value behind `value` observable.
#[inline(always)]
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(crate) fn observe<T>(value: &T) {
    core::hint::black_box(value);
}

/// Makes the state behind `state` unknown to the optimiser: before an op it cannot assume what the
/// body's captures hold, so it can neither hoist the op out of the loop nor fold it.
#[inline(always)]
pub(crate) fn touch<F>(state: &mut F) {
    #[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
    // SAFETY: an empty piece of assembly; that it might write through the pointer is what the
    // optimiser has to assume, and an exclusive reference allows it.
    unsafe {
        core::arch::asm!("/* {0} */", in(reg) core::ptr::from_mut(state), options(nostack, preserves_flags));
    }
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    core::hint::black_box(state);
}
