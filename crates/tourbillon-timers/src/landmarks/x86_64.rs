//! The kernels on x86-64.

use std::arch::asm;

/// Doubles `y`, `K` times one after the other. A register is added to itself, because recent cores
/// remove the addition of a constant before it is executed.
#[inline(always)]
#[must_use]
pub fn add_chain<const K: u64>(mut y: u64) -> u64 {
    // SAFETY: the instructions touch the register that is declared and the flags, nothing else.
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

/// Multiplies `y` by 3, `K` times one after the other; 32 bits, which every core does at one speed.
#[inline(always)]
#[must_use]
pub fn multiply_chain<const K: u64>(mut y: u64) -> u64 {
    // SAFETY: as in `add_chain`.
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

/// Multiplies `y` by 3, `K` times over: every copy reads `y` and writes another register, so that
/// none waits for another.
#[inline(always)]
#[must_use]
pub fn multiply<const K: u64>(y: u64) -> u64 {
    let product;
    // SAFETY: as in `add_chain`, of two registers.
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
