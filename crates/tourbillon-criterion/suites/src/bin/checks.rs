//! A suite that looks at what its benchmarks did, and one that names a benchmark twice.

use criterion::{Criterion, criterion_group, criterion_main};

fn checked(c: &mut Criterion) {
    let mut calls = 0;
    c.bench_function("counted", |b| {
        b.iter(|| 1);
        calls += 1;
    });
    assert!(calls > 0, "the benchmark did not run");
    c.bench_function("after the check", |b| b.iter(|| 2));
}

fn twice(c: &mut Criterion) {
    let mut group = c.benchmark_group("twice");
    group.bench_function("same", |b| b.iter(|| 3));
    group.bench_function("same", |b| b.iter(|| 4));
}

fn later(c: &mut Criterion) {
    c.bench_function("in a later target", |b| b.iter(|| 5));
}

criterion_group!(benches, checked, twice, later);
criterion_main!(benches);
