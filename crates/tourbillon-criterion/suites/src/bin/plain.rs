//! Groups, names and macros as suites have them.

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
    measurement::{Measurement, WallTime},
};

fn fibonacci(n: u64) -> u64 {
    if n < 2 {
        n
    } else {
        fibonacci(n - 1) + fibonacci(n - 2)
    }
}

fn alone(c: &mut Criterion) {
    c.bench_function("fib 10", |b| b.iter(|| fibonacci(black_box(10))));
    c.bench_function(&format!("fib {}", 12), |b| {
        b.iter(|| fibonacci(black_box(12)))
    });
}

fn grouped<M: Measurement>(c: &mut Criterion<M>) {
    let mut group = c.benchmark_group("sum");
    for length in [10_u64, 1_000] {
        let numbers: Vec<u64> = (0..length).collect();
        group.throughput(Throughput::Elements(length));
        group.bench_with_input(
            BenchmarkId::new("iter", length),
            &numbers[..],
            |b, numbers| {
                b.iter(|| numbers.iter().sum::<u64>());
            },
        );
        group.bench_function(BenchmarkId::from_parameter(length), |b| {
            b.iter(|| numbers.iter().fold(0, |sum, n| sum ^ n));
        });
    }
    group.finish();
}

mod inner {
    use super::*;

    fn add(group: &mut BenchmarkGroup<'_, WallTime>) {
        group.bench_function("concat", |b| b.iter(|| black_box("a").to_owned() + "b"));
    }

    pub(super) fn text(c: &mut Criterion) {
        add(&mut c.benchmark_group("text"));
        // A group that is opened again.
        add(&mut c.benchmark_group("text"));
    }

    pub(super) fn by_hand() {
        let mut criterion = Criterion::default().configure_from_args().sample_size(10);
        criterion.bench_function("by hand", |b| b.iter(|| black_box(3) + 4));
    }
}

criterion_group!(benches, alone, grouped::<WallTime>, inner::text,);
criterion_group! {
    name = configured;
    config = Criterion::default().sample_size(10);
    targets = alone
}
criterion_main!(benches, configured, inner::by_hand);
