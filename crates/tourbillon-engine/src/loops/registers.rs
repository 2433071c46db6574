//! The registers that hold a value of a type.
//!
//! Which these are depends on the type. Stable Rust has no specialisation, but the size of a type and whether it is a
//! float are constants to the optimiser, so that the branches on them leave no code behind.

use core::any::TypeId;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// Matches a [`Holder`]: calls `$float` or `$word` with the type, the register class and the template of a value
/// that fits into one register. The template names the part of the register, as the compiler demands.
#[cfg(target_arch = "x86_64")]
macro_rules! by_register {
    ($holder:expr, $float:ident, $word:ident, { $($other:tt)* }) => {
        match $holder {
            Holder::Float32 => $float!(f32, xmm_reg, "/* {0} */"),
            Holder::Float64 => $float!(f64, xmm_reg, "/* {0} */"),
            Holder::Byte => $word!(u8, reg_byte, "/* {0} */"),
            Holder::Short => $word!(u16, reg, "/* {0:x} */"),
            Holder::Half => $word!(u32, reg, "/* {0:e} */"),
            Holder::One => $word!(u64, reg, "/* {0} */"),
            $($other)*
        }
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! by_register {
    ($holder:expr, $float:ident, $word:ident, { $($other:tt)* }) => {
        match $holder {
            Holder::Float32 => $float!(f32, vreg, "/* {0:d} */"),
            Holder::Float64 => $float!(f64, vreg, "/* {0:d} */"),
            Holder::Byte => $word!(u8, reg, "/* {0:w} */"),
            Holder::Short => $word!(u16, reg, "/* {0:w} */"),
            Holder::Half => $word!(u32, reg, "/* {0:w} */"),
            Holder::One => $word!(u64, reg, "/* {0} */"),
            $($other)*
        }
    };
}

pub(crate) use by_register;

/// The two words of a 16-byte value.
#[inline(always)]
pub(crate) fn halves(wide: MaybeUninit<[u64; 2]>) -> [MaybeUninit<u64>; 2] {
    // SAFETY: the same size and layout; each word may be uninitialised as before.
    unsafe { core::mem::transmute::<MaybeUninit<[u64; 2]>, [MaybeUninit<u64>; 2]>(wide) }
}

/// The registers that hold a value of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// No bytes at all.
    Nothing,
    /// An `f32` in a vector register.
    Float32,
    /// An `f64` in a vector register.
    Float64,
    /// One byte in a part of a general register: widening it would cost an instruction.
    Byte,
    /// 2 bytes, the same way.
    Short,
    /// 4 bytes, the same way.
    Half,
    /// Up to 8 bytes in one general register.
    One,
    /// 9 to 16 bytes in two general registers.
    Two,
    /// More: by its address.
    Memory,
}

/// The registers that hold a `T`.
#[inline(always)]
pub(crate) fn holder<T>() -> Holder {
    match const { size_of::<T>() } {
        0 => Holder::Nothing,
        4 if is::<T, f32>() => Holder::Float32,
        8 if is::<T, f64>() => Holder::Float64,
        1 => Holder::Byte,
        2 => Holder::Short,
        4 => Holder::Half,
        3..=8 => Holder::One,
        9..=16 => Holder::Two,
        _ => Holder::Memory,
    }
}

/// The bytes of `value` as the first bytes of an `N`; `N` is at least as large as `T`.
#[inline(always)]
pub(crate) fn widen<T, N: Copy>(value: &T) -> MaybeUninit<N> {
    const { assert!(size_of::<N>() >= 1) };
    let mut wide = MaybeUninit::<N>::uninit();
    let bytes = if size_of::<T>() < size_of::<N>() {
        size_of::<T>()
    } else {
        size_of::<N>()
    };
    // SAFETY: both places hold at least `bytes` bytes and do not overlap; copied as bytes that may
    // be uninitialised (padding) into a place that may be so too.
    unsafe {
        core::ptr::copy_nonoverlapping(
            core::ptr::from_ref(value).cast::<MaybeUninit<u8>>(),
            wide.as_mut_ptr().cast::<MaybeUninit<u8>>(),
            bytes,
        );
    }
    wide
}

/// The first bytes of `wide` as a `T`.
///
/// # Safety
///
/// `wide` came from [`widen`] of a valid `T`, whose ownership goes over to the result, and `T` is
/// not larger than `N`.
#[inline(always)]
pub(crate) unsafe fn narrow<T, N: Copy>(wide: &MaybeUninit<N>) -> T {
    // SAFETY: the caller guarantees that the first bytes are those of a valid `T`; they may be less
    // aligned than `T` asks.
    unsafe { wide.as_ptr().cast::<T>().read_unaligned() }
}

/// Whether `T` is `U`, also for a `T` that borrows.
#[inline(always)]
fn is<T, U: 'static>() -> bool {
    lasting_id::<T>() == TypeId::of::<U>()
}

/// The type id of `T` with every lifetime replaced by `'static`.
#[inline(always)]
fn lasting_id<T>() -> TypeId {
    trait Identified {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T> Identified for PhantomData<T> {
        #[inline(always)]
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let marker = PhantomData::<T>;
    let identified: &dyn Identified = &marker;
    // SAFETY: only the lifetime bound of the trait object changes; the method looks at no value,
    // and type ids do not depend on lifetimes.
    let identified =
        unsafe { core::mem::transmute::<&dyn Identified, &(dyn Identified + 'static)>(identified) };
    identified.id()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_held_by_its_size_and_kind() {
        assert_eq!(holder::<()>(), Holder::Nothing);
        assert_eq!(holder::<f32>(), Holder::Float32);
        assert_eq!(holder::<f64>(), Holder::Float64);
        assert_eq!(holder::<bool>(), Holder::Byte);
        assert_eq!(holder::<i16>(), Holder::Short);
        assert_eq!(holder::<u32>(), Holder::Half);
        assert_eq!(holder::<u64>(), Holder::One);
        assert_eq!(holder::<[u8; 3]>(), Holder::One);
        assert_eq!(holder::<Option<u64>>(), Holder::Two);
        assert_eq!(holder::<&str>(), Holder::Two);
        assert_eq!(holder::<String>(), Holder::Memory);
    }

    #[test]
    fn a_borrowing_type_can_be_looked_at() {
        fn of<'a>(_: &'a u8) -> Holder {
            holder::<&'a u8>()
        }
        assert_eq!(of(&1), Holder::One);
    }

    #[test]
    fn bytes_survive_widening_and_narrowing() {
        let value = (7u8, 9u32);
        let wide = widen::<_, u64>(&value);
        // SAFETY: `wide` holds a valid `(u8, u32)`, which is Copy.
        assert_eq!(unsafe { narrow::<(u8, u32), u64>(&wide) }, value);
        let text = "kept";
        let wide = widen::<_, [u64; 2]>(&text);
        // SAFETY: `wide` holds a valid `&str`, which is Copy.
        assert_eq!(unsafe { narrow::<&str, [u64; 2]>(&wide) }, text);
    }
}
