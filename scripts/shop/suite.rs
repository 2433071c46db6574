//! Fifty cases: five kinds of work, each in ten sizes.

use std::process::ExitCode;

use shop::Steps;
use tourbillon::{Bencher, bench, hide};

fn main() -> ExitCode {
    hide(&shop::unrelated::TABLE);
    tourbillon::main()
}

#[bench(args = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600])]
fn arithmetic(b: Bencher<'_>, size: u64) {
    let mut steps = Steps::default();
    b.iter(|| shop::arithmetic(steps.next(hide(size))));
}

#[bench(args = [50, 70, 100, 140, 200, 280, 400, 560, 800, 1_120])]
fn sort(b: Bencher<'_>, size: u64) {
    let numbers = std::array::from_fn(|at| (at as u32).wrapping_mul(2_654_435_761));
    let mut steps = Steps::default();
    b.iter(|| shop::sort(hide(&numbers), steps.next(hide(size))));
}

#[bench(args = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600])]
fn map(b: Bencher<'_>, size: u64) {
    let map = (0..1_000).map(|key| (key * 7, key)).collect();
    let mut steps = Steps::default();
    b.iter(|| shop::map(hide(&map), steps.next(hide(size))));
}

#[bench(args = [50, 70, 100, 140, 200, 280, 400, 560, 800, 1_120])]
fn format(b: Bencher<'_>, size: u64) {
    let mut text = String::with_capacity(64);
    let mut steps = Steps::default();
    b.iter(|| shop::format(&mut text, steps.next(hide(size))));
}

#[bench(args = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600])]
fn tree(b: Bencher<'_>, size: u64) {
    let tree = (0..1_000).map(|key| (key * 7, key)).collect();
    let mut steps = Steps::default();
    b.iter(|| shop::tree(hide(&tree), steps.next(hide(size))));
}
