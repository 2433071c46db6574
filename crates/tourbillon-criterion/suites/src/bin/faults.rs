//! Benchmarks and targets that fail in their own ways.

use std::process;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

fn bodies(c: &mut Criterion) {
    c.bench_function("before", |b| b.iter(|| 1));
    c.bench_function("panics", |b| {
        b.iter(|| -> u8 { panic!("the body is broken") })
    });
    c.bench_function("exits", |b| b.iter(|| process::exit(7)));
    c.bench_function("aborts", |b| b.iter(|| process::abort()));
    c.bench_function("no iter", |_| {});
    c.bench_function("panics in set-up", |b| {
        b.iter_batched(
            || -> u8 { panic!("no input") },
            |n| n,
            BatchSize::SmallInput,
        )
    });
    c.bench_function("batches of nothing", |b| {
        b.iter_batched(|| 1, |n| n, BatchSize::NumIterations(0))
    });
    c.bench_function("after", |b| b.iter(|| 2));
}

fn prelude(c: &mut Criterion) {
    c.bench_function("before the prelude fails", |b| b.iter(|| 3));
    assert!(
        c.benchmark_group("g")
            .bench_function("last", |b| b.iter(|| 4))
            .throughput_is_set()
    );
    c.bench_function("never registered", |b| b.iter(|| 5));
}

/// What the prelude asserts.
trait ThroughputIsSet {
    fn throughput_is_set(&self) -> bool;
}

impl<M: criterion::measurement::Measurement> ThroughputIsSet for criterion::BenchmarkGroup<'_, M> {
    fn throughput_is_set(&self) -> bool {
        false
    }
}

fn later(c: &mut Criterion) {
    c.bench_function("in a later target", |b| b.iter(|| 6));
}

criterion_group!(benches, bodies, prelude, later);
criterion_main!(benches);
