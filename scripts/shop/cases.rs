//! Six kinds of work.

use std::process::ExitCode;

use shop::Steps;
use tourbillon::{Bencher, bench, hide};

fn main() -> ExitCode {
    // They are there, and never called.
    hide(&shop::unrelated::TABLE);
    tourbillon::main()
}

#[bench]
fn arithmetic(b: Bencher<'_>) {
    let mut steps = Steps::default();
    b.iter(|| shop::arithmetic(steps.next(hide(10_000))));
}

#[bench]
fn sort(b: Bencher<'_>) {
    let numbers = std::array::from_fn(|at| (at as u32).wrapping_mul(2_654_435_761));
    let mut steps = Steps::default();
    b.iter(|| shop::sort(hide(&numbers), steps.next(hide(500))));
}

#[bench]
fn map(b: Bencher<'_>) {
    let map = (0..1_000).map(|key| (key * 7, key)).collect();
    let mut steps = Steps::default();
    b.iter(|| shop::map(hide(&map), steps.next(hide(2_000))));
}

#[bench]
fn format(b: Bencher<'_>) {
    let mut text = String::with_capacity(64);
    let mut steps = Steps::default();
    b.iter(|| shop::format(&mut text, steps.next(hide(500))));
}

#[bench]
fn allocate(b: Bencher<'_>) {
    let mut steps = Steps::default();
    b.iter(|| shop::allocate(steps.next(hide(1_000))));
}

#[bench]
fn tree(b: Bencher<'_>) {
    let tree = (0..1_000).map(|key| (key * 7, key)).collect();
    let mut steps = Steps::default();
    b.iter(|| shop::tree(hide(&tree), steps.next(hide(1_000))));
}
