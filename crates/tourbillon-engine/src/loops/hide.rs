//! Hide: make a value unknown without changing it.

#[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
use core::mem::{ManuallyDrop, MaybeUninit};

#[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
use super::keep::touch;
#[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
use super::registers::{Holder, by_register, halves, holder, narrow, widen};

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
#[doc(alias = "black_box")]
#[inline(always)]
pub fn hide<T>(value: T) -> T {
    unknown(value)
}

#[inline(always)]
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn unknown<T>(value: T) -> T {
    core::hint::black_box(value)
}

#[inline(always)]
#[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
fn unknown<T>(value: T) -> T {
    // Without `nomem` what the value points to is hidden too; a float points to nothing.
    macro_rules! pass {
        ($held:ty, $class:ident, $template:expr $(, $nomem:ident)?) => {{
            let value = ManuallyDrop::new(value);
            let mut held: MaybeUninit<$held> = widen(&value);
            // SAFETY: an empty piece of assembly whose output is its input.
            unsafe {
                core::arch::asm!($template, inout($class) held, options($($nomem,)? nostack, preserves_flags));
            }
            // SAFETY: the bytes are those of `value`, which is not dropped here.
            unsafe { narrow(&held) }
        }};
    }
    macro_rules! pass_float {
        ($held:ty, $class:ident, $template:expr) => {
            pass!($held, $class, $template, nomem)
        };
    }
    by_register!(holder::<T>(), pass_float, pass, {
        Holder::Nothing => value,
        Holder::Two => {
            let value = ManuallyDrop::new(value);
            let [mut low, mut high] = halves(widen::<_, [u64; 2]>(&value));
            // SAFETY: an empty piece of assembly whose outputs are its inputs.
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
    })
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
