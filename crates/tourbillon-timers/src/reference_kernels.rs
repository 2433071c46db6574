//! Code whose cost in cycles is known, to test a harness.
//!
//! | kernel | a copy | cost of a copy |
//! |---|---|---|
//! | [`add_chain`] | adds a register to itself, dependent | 1 cycle on every known core |
//! | [`multiply_chain`] | multiplies 32 bits, dependent | 3 on Intel since Nehalem and AMD since Zen |
//! | [`multiply`] | multiplies 32 bits, independent | 1 with one multiplier: Intel since Nehalem, Zen to Zen 4; 1/3 with three: Zen 5 |
//!
//! Sources: A. Abel and J. Reineke, uops.info: Characterizing Latency, Throughput, and Port Usage of
//! Instructions on Intel Microarchitectures, ASPLOS 2019, and its tables for later cores.
//!
//! The number of copies is a constant: the assembler repeats the instruction, so that no loop is measured.

pub use kernels::{add_chain, multiply, multiply_chain};

#[cfg(target_arch = "x86_64")]
mod kernels {
    use std::arch::asm;

    /// Doubles `y`, `K` times one after the other. A register is added to itself, because recent cores
    /// eliminate the addition of a constant before it is executed.
    #[inline(always)]
    #[must_use]
    pub fn add_chain<const K: u64>(mut y: u64) -> u64 {
        // SAFETY: the instructions change the register that is declared and the flags, nothing else.
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

    /// Multiplies `y` by 3, `K` times one after the other; 32 bits, which every core does at the same speed.
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

    /// Multiplies `y` by 3, in `K` copies: each reads `y` and writes another register, so that none waits
    /// for another.
    #[inline(always)]
    #[must_use]
    pub fn multiply<const K: u64>(y: u64) -> u64 {
        let product;
        // SAFETY: as in `add_chain`.
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
}

#[cfg(target_arch = "aarch64")]
mod kernels {
    use std::arch::asm;

    /// Doubles `y`, `K` times one after the other.
    #[inline(always)]
    #[must_use]
    pub fn add_chain<const K: u64>(mut y: u64) -> u64 {
        // SAFETY: the instructions change the register that is declared, nothing else.
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
        // SAFETY: as in `add_chain`.
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

    /// Multiplies `y` by 3, in `K` copies: each reads `y` and writes another register, so that none waits
    /// for another.
    #[inline(always)]
    #[must_use]
    pub fn multiply<const K: u64>(y: u64) -> u64 {
        let product;
        // SAFETY: as in `add_chain`; the product is written before the last reading of the others, so it
        // is not `lateout`.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_compute_what_their_instructions_do() {
        assert_eq!(add_chain::<10>(7), 7 << 10);
        assert_eq!(multiply::<5>(7), 21);
        assert_eq!(multiply_chain::<3>(7), 7 * 27);
    }
}
