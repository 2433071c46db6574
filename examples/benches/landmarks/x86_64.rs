//! The kernels on x86-64.

use std::arch::asm;
use std::cell::Cell;

/// A link of a ring in memory, alone on its cache line.
#[repr(align(64))]
pub(crate) struct Link {
    /// The next link.
    pub(crate) next: Cell<*const Link>,
}

/// Multiplies `y` by 3, `K` times over: every copy reads `y` and writes another register, so the
/// copies do not wait for each other. 32 bits, which every multiplier takes in one go.
#[inline(always)]
pub(crate) fn multiply<const K: u64>(y: u64) -> u64 {
    let product;
    // SAFETY: the instructions touch their operands and the flags, nothing else.
    unsafe {
        asm!(
            ".rept {copies}",
            "imul {product:e}, {y:e}, 3",
            ".endr",
            copies = const K,
            product = out(reg) product,
            y = in(reg) y,
            options(pure, nomem, nostack),
        );
    }
    product
}

/// Multiplies `y` by 3, `K` times one after the other.
#[inline(always)]
pub(crate) fn multiply_chain<const K: u64>(mut y: u64) -> u64 {
    // SAFETY: as in `multiply`.
    unsafe {
        asm!(
            ".rept {copies}",
            "imul {y:e}, {y:e}, 3",
            ".endr",
            copies = const K,
            y = inout(reg) y,
            options(pure, nomem, nostack),
        );
    }
    y
}

/// Doubles `y`, `K` times one after the other. Adding a register to itself, because recent cores
/// remove the addition of a constant before it is executed.
#[inline(always)]
pub(crate) fn add_chain<const K: u64>(mut y: u64) -> u64 {
    // SAFETY: as in `multiply`.
    unsafe {
        asm!(
            ".rept {copies}",
            "add {y}, {y}",
            ".endr",
            copies = const K,
            y = inout(reg) y,
            options(pure, nomem, nostack),
        );
    }
    y
}

/// Moves the bits of `y` to a vector register, `K` times over.
#[inline(always)]
pub(crate) fn to_vector<const K: u64>(y: u64) -> f64 {
    let bits;
    // SAFETY: as in `multiply`.
    unsafe {
        asm!(
            ".rept {copies}",
            "movq {bits}, {y}",
            ".endr",
            copies = const K,
            bits = out(xmm_reg) bits,
            y = in(reg) y,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    bits
}

/// Follows `K` links.
///
/// # Safety
///
/// `link` and the links that are followed are addresses of links.
#[inline(always)]
pub(crate) unsafe fn load_chain<const K: u64>(mut link: *const Link) -> *const Link {
    // SAFETY: the instructions read at the addresses of links, by the caller's contract; `next` is a link's first and
    // only field.
    unsafe {
        asm!(
            ".rept {copies}",
            "mov {link}, qword ptr [{link}]",
            ".endr",
            copies = const K,
            link = inout(reg) link,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    link
}
