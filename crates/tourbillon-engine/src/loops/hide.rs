//! Hide: make a value unknown without changing it.

use core::mem::{ManuallyDrop, MaybeUninit};

use super::keep::{Holder, halves, holder, narrow, parts, touch, widen};

#[cfg(target_arch = "x86_64")]
macro_rules! pass_float {
    ($value:expr) => {
        // SAFETY: an empty piece of assembly whose output is its input.
        unsafe {
            core::arch::asm!("/* {0} */", inout(xmm_reg) $value, options(nomem, nostack, preserves_flags));
        }
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! pass_float {
    ($value:expr) => {
        // SAFETY: an empty piece of assembly whose output is its input.
        unsafe {
            core::arch::asm!("/* {0:d} */", inout(vreg) $value, options(nomem, nostack, preserves_flags));
        }
    };
}

#[cfg(target_arch = "x86_64")]
macro_rules! pass_byte {
    ($value:expr) => {
        // SAFETY: an empty piece of assembly whose output is its input.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg_byte) $value, options(nostack, preserves_flags));
        }
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! pass_byte {
    ($value:expr) => {
        pass_part!($value, "/* {0:w} */")
    };
}

macro_rules! pass_part {
    ($value:expr, $template:expr) => {
        // SAFETY: an empty piece of assembly whose output is its input.
        unsafe {
            core::arch::asm!($template, inout(reg) $value, options(nostack, preserves_flags));
        }
    };
}

/// Returns `value`, about which the optimiser now knows nothing.
///
/// Use it on the constants that a benchmark feeds to the code under test, so that the result is not
/// computed at compile time. No instruction is added for a value that sits in registers (up to 16
/// bytes); a larger one is hidden where it lies in memory.
///
/// # Examples
///
/// ```
/// let text = tourbillon_engine::hide("a");
/// assert_eq!(text, "a");
/// ```
#[inline(always)]
pub fn hide<T>(value: T) -> T {
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    return core::hint::black_box(value);
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    match holder::<T>() {
        Holder::Nothing => value,
        Holder::Float32 => {
            // SAFETY: `T` is f32; floats are Copy.
            let mut float: f32 = unsafe { narrow(&widen::<T, f32>(&value)) };
            pass_float!(float);
            // SAFETY: as above, and the bits are those of `value`.
            unsafe { narrow(&MaybeUninit::new(float)) }
        }
        Holder::Float64 => {
            // SAFETY: `T` is f64; floats are Copy.
            let mut float: f64 = unsafe { narrow(&widen::<T, f64>(&value)) };
            pass_float!(float);
            // SAFETY: as above, and the bits are those of `value`.
            unsafe { narrow(&MaybeUninit::new(float)) }
        }
        Holder::Byte => {
            let value = ManuallyDrop::new(value);
            let mut byte: MaybeUninit<u8> = widen(&value);
            pass_byte!(byte);
            // SAFETY: the bytes are those of `value`, which is not dropped here.
            unsafe { narrow(&byte) }
        }
        Holder::Short => {
            let value = ManuallyDrop::new(value);
            let mut short: MaybeUninit<u16> = widen(&value);
            pass_part!(short, parts!(short));
            // SAFETY: as above.
            unsafe { narrow(&short) }
        }
        Holder::Half => {
            let value = ManuallyDrop::new(value);
            let mut half: MaybeUninit<u32> = widen(&value);
            pass_part!(half, parts!(half));
            // SAFETY: as above.
            unsafe { narrow(&half) }
        }
        Holder::One => {
            let value = ManuallyDrop::new(value);
            let mut word: MaybeUninit<u64> = widen(&value);
            // SAFETY: an empty piece of assembly whose output is its input; with the memory
            // clobber what the value points to is hidden too.
            unsafe {
                core::arch::asm!("/* {0} */", inout(reg) word, options(nostack, preserves_flags));
            }
            // SAFETY: the bytes are those of `value`, which is not dropped here.
            unsafe { narrow(&word) }
        }
        Holder::Two => {
            let value = ManuallyDrop::new(value);
            let [mut low, mut high] = halves(widen::<_, [u64; 2]>(&value));
            // SAFETY: as above.
            unsafe {
                core::arch::asm!("/* {0} {1} */", inout(reg) low, inout(reg) high, options(nostack, preserves_flags));
            }
            let wide = MaybeUninit::new([low, high]);
            // SAFETY: the bytes are those of `value`, which is not dropped here.
            unsafe { narrow(&wide) }
        }
        Holder::Memory => {
            let mut value = value;
            touch(&mut value);
            value
        }
    }
}

#[cfg(test)]
mod tests {
    use super::hide;

    #[test]
    fn a_hidden_value_is_the_same_value() {
        assert_eq!(hide(()), ());
        assert_eq!(hide(7u8), 7);
        assert_eq!((hide(-7i16), hide(-7i32), hide(true)), (-7, -7, true));
        assert_eq!(hide((7u8, 9u32)), (7, 9));
        assert_eq!(hide(1.5f32).to_bits(), 1.5f32.to_bits());
        assert_eq!(hide(-0.0f64).to_bits(), (-0.0f64).to_bits());
        assert_eq!(hide("text"), "text");
        assert_eq!(hide(Some(3u64)), Some(3));
        assert_eq!(hide([1u64, 2, 3]), [1, 2, 3]);
        assert_eq!(hide(Box::new(5)), Box::new(5));
        assert_eq!(hide(String::from("owned")), "owned");
    }

    #[test]
    fn hiding_moves_and_does_not_drop() {
        let shared = std::rc::Rc::new(());
        let hidden = hide(std::rc::Rc::clone(&shared));
        assert_eq!(std::rc::Rc::strong_count(&shared), 2);
        drop(hidden);
        assert_eq!(std::rc::Rc::strong_count(&shared), 1);
    }
}
