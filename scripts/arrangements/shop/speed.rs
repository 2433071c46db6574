//! Three short cases.

use std::process::ExitCode;

use tourbillon::{Bencher, bench, hide};

fn main() -> ExitCode {
    tourbillon::main()
}

#[bench]
fn arithmetic(b: Bencher<'_>) {
    b.iter(|| shop::arithmetic(hide(200)));
}

#[bench]
fn sort(b: Bencher<'_>) {
    let numbers = std::array::from_fn(|at| (at as u32).wrapping_mul(2_654_435_761));
    b.iter(|| shop::sort(hide(&numbers)));
}

#[bench]
fn digits(b: Bencher<'_>) {
    b.iter(|| shop::digits(hide(20)));
}
