//! What the place of a loop in memory does to it.

use std::arch::asm;

use tourbillon::{Bencher, bench};

/// The loop in which `thr[k=1]` runs, which is eight loads and eight multiplications, so many bytes
/// after the beginning of a line of 64 bytes. An op is one round of it. Where fetching its 18
/// instructions takes longer than multiplying, as it can on a core with three multipliers, the place
/// decides what it costs.
#[bench(args = [0, 16, 32, 48], group = "placed")]
fn placed(b: Bencher<'_>, at: u64) -> Result<(), String> {
    at_place::<1>(b, at)
}

/// The loop of `thr[k=2]`, which is fetched in less time than it multiplies in.
#[bench(args = [0, 16, 32, 48], group = "placed")]
fn placed_two(b: Bencher<'_>, at: u64) -> Result<(), String> {
    at_place::<2>(b, at)
}

fn at_place<const K: u64>(b: Bencher<'_>, at: u64) -> Result<(), String> {
    match at {
        0 => b.iter_n(rounds::<0, K>),
        16 => b.iter_n(rounds::<16, K>),
        32 => b.iter_n(rounds::<32, K>),
        48 => b.iter_n(rounds::<48, K>),
        _ => return Err(format!("there is no loop at {at}; add it to the list")),
    }
    Ok(())
}

/// The loop with `K` multiplications a load `count` times, which is at least once; at `AT` in its line.
fn rounds<const AT: u64, const K: u64>(count: u64) -> u64 {
    let y = 7_u64;
    let product;
    // SAFETY: the instructions read where `y` is and touch the registers that are declared and the
    // flags, nothing else; `count` is not 0, as no body is asked for no op.
    unsafe {
        asm!(
            ".p2align 6",
            ".skip {at}, 0x90",
            "2:",
            ".rept 8",
            "mov {loaded}, qword ptr [{y}]",
            ".rept {copies}",
            "imul {product:e}, {loaded:e}, 3",
            ".endr",
            ".endr",
            "dec {count}",
            "jne 2b",
            at = const AT,
            copies = const K,
            loaded = out(reg) _,
            product = out(reg) product,
            y = in(reg) &raw const y,
            count = inout(reg) count => _,
            options(readonly, nostack),
        );
    }
    product
}
