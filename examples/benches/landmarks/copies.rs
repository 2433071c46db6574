//! The kernels in several numbers of copies.

use std::cell::Cell;
use std::ptr;

use examples::shuffle::Shuffler;
use tourbillon::{Bencher, bench, hide};

use crate::kernels::{self, Link};

/// Runs `$run` with the constant `$copies` equal to `$k`, which must be one of the numbers listed:
/// the assembler repeats a kernel, so the number has to be known when the kernel is compiled.
macro_rules! with_copies {
    ($k:ident, [$($number:literal),+], $copies:ident => $run:expr) => {
        match $k {
            $($number => {
                const $copies: u64 = $number;
                $run;
                Ok(())
            })+
            _ => Err(format!("there is no kernel of {} copies; add it to the list", $k)),
        }
    };
}

/// Multiplications that do not wait for each other: what the multiplier can take.
#[bench(args = [1, 2, 3, 5, 10, 33, 100, 1000], group = "landmarks")]
fn thr(b: Bencher<'_>, k: u64) -> Result<(), String> {
    let y = hide(7);
    with_copies!(k, [1, 2, 3, 5, 10, 33, 100, 1000], K => b.iter(move || kernels::multiply::<K>(y)))
}

/// Multiplications each of which takes the product of the one before.
#[bench(args = [1, 2, 3, 10, 100, 1000], group = "landmarks")]
fn lat(b: Bencher<'_>, k: u64) -> Result<(), String> {
    with_copies!(k, [1, 2, 3, 10, 100, 1000], K => b.chain(7, kernels::multiply_chain::<K>))
}

/// Additions each of which takes the sum of the one before.
#[bench(args = [1, 3, 10, 100, 1000], group = "landmarks")]
fn add(b: Bencher<'_>, k: u64) -> Result<(), String> {
    with_copies!(k, [1, 3, 10, 100, 1000], K => b.chain(7, kernels::add_chain::<K>))
}

/// Moves to a vector register that do not wait for each other. Not a thousand: eight copies of that
/// would not fit in the instruction cache.
#[bench(args = [1, 2, 3, 10, 33, 100], group = "landmarks")]
fn mov(b: Bencher<'_>, k: u64) -> Result<(), String> {
    let y = hide(7);
    with_copies!(k, [1, 2, 3, 10, 33, 100], K => b.iter(move || kernels::to_vector::<K>(y)))
}

/// Loads each of which finds the address of the next one. The links take half of a first-level
/// cache of 32 KiB, one to a line, in random order.
#[bench(args = [1, 10, 100], group = "landmarks")]
fn load(b: Bencher<'_>, k: u64) -> Result<(), String> {
    let links: Vec<Link> = (0..256)
        .map(|_| Link {
            next: Cell::new(ptr::null()),
        })
        .collect();
    let mut order: Vec<&Link> = links.iter().collect();
    Shuffler::new(1).shuffle(&mut order);
    for (place, link) in order.iter().enumerate() {
        link.next.set(order[(place + 1) % order.len()]);
    }
    let first = ptr::from_ref(order[0]);
    with_copies!(k, [1, 10, 100], K => b.chain(first, |link| {
        // SAFETY: `first` and every link after it is one of `links`, which outlive the call of
        // `chain`, and has the address of another one.
        unsafe { kernels::load_chain::<K>(link) }
    }))
}
