//! A suite whose every target panics: what criterion refuses.

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};

fn short(c: &mut Criterion) {
    c.benchmark_group("g").sample_size(9);
}

fn at_once(_: &mut Criterion) {
    let _ = Criterion::default().measurement_time(Duration::ZERO);
}

fn unnamed_group(c: &mut Criterion) {
    c.benchmark_group("").finish();
}

fn unnamed_function(c: &mut Criterion) {
    c.benchmark_group("g").bench_function("", |b| b.iter(|| 1));
}

criterion_group!(benches, short, at_once, unnamed_group, unnamed_function);
criterion_main!(benches);
