//! What the encoding of an instruction does to it.

use std::arch::asm;

use tourbillon::{Bencher, bench};

/// The instructions of `mov` in a loop of a hundred, in the encoding that every x86-64 core has and in
/// the one that came with AVX. An op is one round of it. On Zen 4 the two cost differently.
#[bench(args(encoding = encodings()), group = "encoded")]
fn encoded(b: Bencher<'_>, encoding: &'static str) {
    match encoding {
        "avx" => b.iter_n(newer),
        _ => b.iter_n(older),
    }
}

/// The encodings that this processor knows.
fn encodings() -> Vec<&'static str> {
    let mut encodings = vec!["sse"];
    if is_x86_feature_detected!("avx") {
        encodings.push("avx");
    }
    encodings
}

/// A function that runs so many rounds of a hundred copies of an instruction.
macro_rules! rounds {
    ($name:ident, $instruction:literal) => {
        fn $name(count: u64) -> f64 {
            let bits;
            // SAFETY: the instructions touch the registers that are declared and the flags, nothing
            // else; `count` is not 0, as no body is asked for no op; an instruction that the
            // processor does not know has no case.
            unsafe {
                asm!(
                    ".p2align 6",
                    "2:",
                    ".rept 100",
                    $instruction,
                    ".endr",
                    "dec {count}",
                    "jne 2b",
                    bits = out(xmm_reg) bits,
                    y = in(reg) 7_u64,
                    count = inout(reg) count => _,
                    options(nomem, nostack),
                );
            }
            bits
        }
    };
}

rounds!(older, "movq {bits}, {y}");
rounds!(newer, "vmovq {bits}, {y}");
