//! The kernels on 64-bit Arm.

use std::arch::asm;

/// Doubles `y`, `K` times one after the other.
#[inline(always)]
#[must_use]
pub fn add_chain<const K: u64>(mut y: u64) -> u64 {
    // SAFETY: the instructions touch the register that is declared, nothing else.
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

/// Multiplies `y` by 3, `K` times one after the other.
#[inline(always)]
#[must_use]
pub fn multiply_chain<const K: u64>(mut y: u64) -> u64 {
    // SAFETY: as in `add_chain`, of two registers.
    unsafe {
        asm!(
            ".rept {copies}",
            "mul {y:w}, {y:w}, {three:w}",
            ".endr",
            copies = const K,
            y = inout(reg) y,
            three = in(reg) 3_u64,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    y
}

/// Multiplies `y` by 3, `K` times over: every copy reads `y` and writes another register, so that
/// none waits for another.
#[inline(always)]
#[must_use]
pub fn multiply<const K: u64>(y: u64) -> u64 {
    let product;
    // SAFETY: as in `multiply_chain`, of three registers; the product is written before the last
    // reading of the others, and is declared so by not being `lateout`.
    unsafe {
        asm!(
            ".rept {copies}",
            "mul {product:w}, {y:w}, {three:w}",
            ".endr",
            copies = const K,
            product = out(reg) product,
            y = in(reg) y,
            three = in(reg) 3_u64,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    product
}
