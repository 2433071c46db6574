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

use std::arch::asm;

/// A function that executes `K` copies of an instruction, with its operands, on each processor.
macro_rules! kernel {
    (
        $(#[$docs:meta])* $name:ident($y:ident) -> $result:ident,
        $($processor:literal => $instruction:literal [$($operands:tt)+],)+
    ) => {
        $(#[$docs])*
        #[inline(always)]
        #[must_use]
        pub fn $name<const K: u64>($y: u64) -> u64 {
            let $result;
            $(
                // SAFETY: the instruction changes the registers that are declared and the flags.
                #[cfg(target_arch = $processor)]
                unsafe {
                    asm!(
                        ".rept {copies}",
                        $instruction,
                        ".endr",
                        copies = const K,
                        $($operands)+,
                        options(pure, nomem, nostack),
                    );
                }
            )+
            $result
        }
    };
}

kernel! {
    /// Doubles `y`, `K` times one after the other. A register is added to itself, because recent cores
    /// eliminate the addition of a constant before it is executed.
    add_chain(y) -> sum,
    "x86_64" => "add {y}, {y}" [y = inout(reg) y => sum],
    "aarch64" => "add {y}, {y}, {y}" [y = inout(reg) y => sum],
}

kernel! {
    /// Multiplies `y` by 3, `K` times one after the other; 32 bits, which every core does at the same speed.
    multiply_chain(y) -> product,
    "x86_64" => "imul {y:e}, {y:e}, 3" [y = inout(reg) y => product],
    "aarch64" => "mul {y:w}, {y:w}, {three:w}" [y = inout(reg) y => product, three = in(reg) 3_u64],
}

// The product is not `lateout`: it is written before the last copy reads `y`.
kernel! {
    /// Multiplies `y` by 3, in `K` copies: each reads `y` and writes another register, so that none waits for
    /// another.
    multiply(y) -> product,
    "x86_64" => "imul {product:e}, {y:e}, 3" [product = out(reg) product, y = in(reg) y],
    "aarch64" => "mul {product:w}, {y:w}, {three:w}"
        [product = out(reg) product, y = in(reg) y, three = in(reg) 3_u64],
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
