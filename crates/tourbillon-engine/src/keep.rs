//! Keep: make a value observable without changing the code that made it.

use core::mem::MaybeUninit;

use crate::bits::{Holder, holder, narrow, widen};

#[cfg(target_arch = "x86_64")]
macro_rules! sink_float {
    ($value:expr) => {
        // SAFETY: an empty piece of assembly that reads nothing but its operand.
        unsafe { core::arch::asm!("/* {0} */", in(xmm_reg) $value, options(nostack, preserves_flags)) }
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! sink_float {
    ($value:expr) => {
        // SAFETY: an empty piece of assembly that reads nothing but its operand.
        unsafe { core::arch::asm!("/* {0:d} */", in(vreg) $value, options(nostack, preserves_flags)) }
    };
}

#[cfg(target_arch = "x86_64")]
macro_rules! sink_byte {
    ($value:expr) => {
        // SAFETY: an empty piece of assembly that reads nothing but its operand.
        unsafe { core::arch::asm!("/* {0} */", in(reg_byte) $value, options(nostack, preserves_flags)) }
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! sink_byte {
    ($value:expr) => {
        sink_part!($value, "/* {0:w} */")
    };
}

/// The template names the part of the register, for the compiler asks for it.
macro_rules! sink_part {
    ($value:expr, $template:expr) => {
        // SAFETY: an empty piece of assembly that reads nothing but its operand.
        unsafe { core::arch::asm!($template, in(reg) $value, options(nostack, preserves_flags)) }
    };
}

#[cfg(target_arch = "x86_64")]
macro_rules! parts {
    (short) => {
        "/* {0:x} */"
    };
    (half) => {
        "/* {0:e} */"
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! parts {
    ($any:ident) => {
        "/* {0:w} */"
    };
}

pub(crate) use parts;

/// Makes `value` observable, as if it were written to a place that somebody reads, then drops it.
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
pub(crate) fn observe<T>(value: &T) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    match holder::<T>() {
        // SAFETY: an empty piece of assembly that reads nothing but its operands.
        Holder::Nothing => unsafe { core::arch::asm!("", options(nostack, preserves_flags)) },
        Holder::Float32 => {
            // SAFETY: `T` is f32; floats are Copy.
            let float: f32 = unsafe { narrow(&widen::<T, f32>(value)) };
            sink_float!(float);
        }
        Holder::Float64 => {
            // SAFETY: `T` is f64; floats are Copy.
            let float: f64 = unsafe { narrow(&widen::<T, f64>(value)) };
            sink_float!(float);
        }
        Holder::Byte => {
            let byte: MaybeUninit<u8> = widen(value);
            sink_byte!(byte);
        }
        Holder::Short => {
            let short: MaybeUninit<u16> = widen(value);
            sink_part!(short, parts!(short));
        }
        Holder::Half => {
            let half: MaybeUninit<u32> = widen(value);
            sink_part!(half, parts!(half));
        }
        Holder::One => {
            let word: MaybeUninit<u64> = widen(value);
            // SAFETY: as above.
            unsafe {
                core::arch::asm!("/* {0} */", in(reg) word, options(nostack, preserves_flags))
            }
        }
        Holder::Two => {
            let [low, high] = halves(widen::<T, [u64; 2]>(value));
            // SAFETY: as above.
            unsafe {
                core::arch::asm!("/* {0} {1} */", in(reg) low, in(reg) high, options(nostack, preserves_flags));
            }
        }
        // SAFETY: as above; the memory clobber makes the pointee observable.
        Holder::Memory => unsafe {
            core::arch::asm!("/* {0} */", in(reg) core::ptr::from_ref(value), options(nostack, preserves_flags));
        },
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    core::hint::black_box(value);
}

/// Makes the state behind `state` unknown to the optimiser: before an op it cannot assume what the
/// body's captures hold, so it can neither hoist the op out of the loop nor fold it.
#[inline(always)]
pub(crate) fn touch<F>(state: &mut F) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    // SAFETY: an empty piece of assembly; that it might write through the pointer is what the
    // optimiser is told, and what an exclusive reference allows.
    unsafe {
        core::arch::asm!("/* {0} */", in(reg) core::ptr::from_mut(state), options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    core::hint::black_box(state);
}

/// The two words of a 16-byte value.
#[inline(always)]
pub(crate) fn halves(wide: MaybeUninit<[u64; 2]>) -> [MaybeUninit<u64>; 2] {
    // SAFETY: the same size and layout; each word may be uninitialised as before.
    unsafe { core::mem::transmute::<MaybeUninit<[u64; 2]>, [MaybeUninit<u64>; 2]>(wide) }
}
