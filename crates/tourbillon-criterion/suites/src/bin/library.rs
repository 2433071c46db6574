//! Criterion in a program that is no bench program.

#![expect(clippy::print_stdout, reason = "suites print")]

use criterion::{Criterion, black_box};

fn main() {
    let mut calls = 0_u64;
    Criterion::default()
        .without_plots()
        .bench_function("counted", |b| {
            b.iter(|| {
                calls += 1;
                (0..1_000_u64).map(black_box).sum::<u64>()
            })
        });
    println!("{}", if calls > 0 { "called" } else { "not called" });
}
