//! Pairs of functions, and what each costs next to the other: does the verdict agree with the table, and one run with
//! another? `scripts/agree.sh` runs it again and again.
//!
//! The bodies allocate, grow, hash, branch, wait for memory, share a number between threads, or take a cycle; some pairs
//! are the same code. Those of `plain` are measured by other harnesses, too.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use tourbillon::{Bencher, bench, hide};

#[macro_use]
mod list;
mod plain;
mod self_timed;

fn main() -> ExitCode {
    tourbillon::main()
}

macro_rules! benches {
    ($($group:literal: $reference:ident = $one:expr $(, $member:ident = $other:expr)+;)+) => {
        $(
            #[bench(group = $group, reference)]
            fn $reference(b: Bencher<'_>) {
                measure(b, hide($one));
            }
            $(
                #[bench(group = $group)]
                fn $member(b: Bencher<'_>) {
                    measure(b, hide($other));
                }
            )+
        )+
    };
}

with_pairs!(benches);

/// One piece of machine code for both sides of a pair of the same code.
#[inline(never)]
fn measure<R>(b: Bencher<'_>, body: impl FnMut() -> R) {
    b.iter(body);
}

#[bench(args(n = [16, 256, 4096]), group = "sort", reference)]
fn stable(b: Bencher<'_>, n: usize) {
    let numbers = plain::numbers(n);
    b.with_inputs(|| numbers.clone())
        .iter_mut(|numbers| numbers.sort());
}

#[bench(args(n = [16, 256, 4096]), group = "sort")]
fn unstable(b: Bencher<'_>, n: usize) {
    let numbers = plain::numbers(n);
    b.with_inputs(|| numbers.clone())
        .iter_mut(|numbers| numbers.sort_unstable());
}

#[bench(threads = [1, 2], group = "threads", reference)]
fn atomic(b: Bencher<'_>) {
    let counter = AtomicU64::new(0);
    b.iter_threads(|_| || counter.fetch_add(1, Relaxed));
}

#[bench(threads = [1, 2], group = "threads")]
fn mutex(b: Bencher<'_>) {
    let counter = Mutex::new(0_u64);
    let locked = || counter.lock().unwrap_or_else(PoisonError::into_inner);
    b.iter_threads(|_| || *locked() += 1);
}
