//! The kernels on aarch64.

use std::arch::asm;
use std::cell::Cell;

/// A link of a ring in memory, alone on its cache line.
#[repr(align(64))]
pub(crate) struct Link {
    /// The next link.
    pub(crate) next: Cell<*const Link>,
}

/// Squares `y`, `K` times over: every copy reads `y` and writes another register, so the
/// copies do not wait for each other. 32 bits, which every multiplier takes in one go.
#[inline(always)]
pub(crate) fn multiply<const K: u64>(y: u64) -> u64 {
    let product;
    // SAFETY: the instructions touch their operands, nothing else.
    unsafe {
        asm!(
            ".rept {copies}",
            "mul {product:w}, {y:w}, {y:w}",
            ".endr",
            copies = const K,
            product = out(reg) product,
            y = in(reg) y,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    product
}

/// Squares `y`, `K` times one after the other.
#[inline(always)]
pub(crate) fn multiply_chain<const K: u64>(mut y: u64) -> u64 {
    // SAFETY: as in `multiply`.
    unsafe {
        asm!(
            ".rept {copies}",
            "mul {y:w}, {y:w}, {y:w}",
            ".endr",
            copies = const K,
            y = inout(reg) y,
            options(pure, nomem, nostack, preserves_flags),
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
            "add {y}, {y}, {y}",
            ".endr",
            copies = const K,
            y = inout(reg) y,
            options(pure, nomem, nostack, preserves_flags),
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
            "fmov {bits:d}, {y}",
            ".endr",
            copies = const K,
            bits = out(vreg) bits,
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
            "ldr {link}, [{link}]",
            ".endr",
            copies = const K,
            link = inout(reg) link,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    link
}
