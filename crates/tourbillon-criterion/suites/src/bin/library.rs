//! Criterion in a program that is no bench program.

#![expect(clippy::print_stdout, reason = "suites print")]

use criterion::Criterion;

fn main() {
    let mut calls = 0_u64;
    Criterion::default()
        .without_plots()
        .bench_function("counted", |b| b.iter(|| calls += 1));
    println!("{}", if calls > 0 { "called" } else { "not called" });
}
