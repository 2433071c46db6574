//! A suite with a `main` of its own.

#![expect(clippy::print_stdout, reason = "suites print")]

use criterion::{Criterion, black_box};

fn main() {
    println!("main begins");
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("add", |b| {
        b.iter(|| (0..1_000_u64).map(black_box).sum::<u64>())
    });
    let mut group = criterion.benchmark_group("group");
    let mut calls = 0;
    group.bench_function("count", |b| {
        b.iter(|| {
            calls += 1;
            (0..1_000_u64).map(black_box).sum::<u64>()
        });
        assert!(calls > 0);
    });
    group.finish();
    criterion.final_summary();
    println!("main ends");
}
