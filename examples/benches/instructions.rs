//! Instructions of ops: `cargo bench --bench instructions -- --counters instructions`.

use std::collections::HashMap;
use std::process::ExitCode;

use tourbillon::{Bencher, bench, hide, keep};

/// Nothing: the loop is subtracted.
#[bench]
fn nothing() {}

/// A hundred instructions.
#[bench]
fn a_hundred() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: instructions without an effect.
    unsafe {
        std::arch::asm!(
            ".rept 100",
            "nop",
            ".endr",
            options(nomem, nostack, preserves_flags)
        );
    }
}

/// A hundred on each input.
#[bench]
fn a_hundred_on_inputs(b: Bencher<'_>) {
    b.with_inputs(|| 7_u64).iter_mut(|_| a_hundred());
}

#[bench]
fn parse() -> u64 {
    hide("1234567").parse().unwrap_or_default()
}

/// Another number in each process: the map draws its keys.
#[bench]
fn look_up(b: Bencher<'_>) {
    let map: HashMap<u64, u64> = (0..50).map(|key| (key, key)).collect();
    b.iter(|| map.get(&hide(7)).copied());
}

#[bench]
fn sort(b: Bencher<'_>) {
    let numbers: Vec<u64> = (0..100).map(|i| i * 7919 % 101).collect();
    b.with_inputs(|| numbers.clone())
        .iter_mut(|numbers| numbers.sort_unstable());
}

#[bench]
fn concatenate() -> String {
    hide("a").to_owned() + hide("b")
}

/// Copies with whatever the C library has for this model of processor.
#[bench]
fn copy(b: Bencher<'_>) {
    let from = vec![1_u8; 10_000];
    let mut to = vec![0_u8; 10_000];
    b.iter(|| {
        to.copy_from_slice(&from);
        keep(to.as_ptr());
    });
}

/// Is named, and not counted: it waits for the system.
#[bench]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

/// Calls the system.
#[bench]
fn process_id() -> u32 {
    std::process::id()
}

fn main() -> ExitCode {
    tourbillon::main()
}
