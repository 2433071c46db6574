//! Times beyond the largest one, which have no figure on any machine, and a count that has one on every machine.

use std::time::Duration;

use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Counts iterations.
struct Iterations;

impl Measurement for Iterations {
    type Intermediate = ();
    type Value = u64;

    fn start(&self) {}

    fn end(&self, (): ()) -> u64 {
        1
    }

    fn add(&self, v1: &u64, v2: &u64) -> u64 {
        v1 + v2
    }

    fn zero(&self) -> u64 {
        0
    }

    fn to_f64(&self, value: &u64) -> f64 {
        *value as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for Iterations {
    fn scale_values(&self, _: f64, _: &mut [f64]) -> &'static str {
        "iterations"
    }

    fn scale_throughputs(&self, _: f64, _: &Throughput, _: &mut [f64]) -> &'static str {
        "iterations/s"
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        "iterations"
    }
}

fn endless(c: &mut Criterion) {
    for name in ["endless/one", "endless/two"] {
        c.bench_function(name, |b| b.iter_custom(|_| Duration::MAX));
    }
}

fn counted(c: &mut Criterion<Iterations>) {
    c.bench_function("counted", |b| b.iter_custom(|iterations| iterations));
}

criterion_group!(times, endless);
criterion_group! {
    name = counts;
    config = Criterion::default().with_measurement(Iterations);
    targets = counted
}
criterion_main!(times, counts);
