//! Code whose cost in cycles is known, to see whether a harness measures what is there.
//!
//! | kernel | a copy | cost of a copy |
//! |---|---|---|
//! | [`add_chain`] | adds a register to itself, carried on | 1 cycle on every core that is known |
//! | [`multiply_chain`] | multiplies 32 bits, carried on | 3 on Intel since Nehalem and AMD since Zen |
//! | [`multiply`] | multiplies 32 bits, not carried on | 1 where there is one multiplier: Intel since Nehalem, Zen to Zen 4; 1/3 where there are three: Zen 5 |
//!
//! Sources: A. Abel and J. Reineke, uops.info: Characterizing Latency, Throughput, and Port Usage of
//! Instructions on Intel Microarchitectures, ASPLOS 2019, and its tables for the cores since.
//!
//! The number of copies is a constant: the assembler repeats the instruction, so that no loop is
//! measured along.

#[cfg_attr(target_arch = "x86_64", path = "landmarks/x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "landmarks/aarch64.rs")]
mod kernels;

pub use kernels::{add_chain, multiply, multiply_chain};

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
