//! The fifty cases of scripts/shop/suite.rs for criterion.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use shop::Steps;

const LONG: [u64; 10] = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600];
const SHORT: [u64; 10] = [50, 70, 100, 140, 200, 280, 400, 560, 800, 1_120];

/// A group of ten sizes; `body` gets the number of steps.
fn group<T>(c: &mut Criterion, name: &str, sizes: [u64; 10], mut body: impl FnMut(u64) -> T) {
    let mut group = c.benchmark_group(name);
    for size in sizes {
        let mut steps = Steps::default();
        let id = BenchmarkId::from_parameter(size);
        group.bench_with_input(id, &size, |b, &size| {
            b.iter(|| body(steps.next(black_box(size))));
        });
    }
    group.finish();
}

fn suite(c: &mut Criterion) {
    group(c, "arithmetic", LONG, shop::arithmetic);
    let numbers = std::array::from_fn(|at| (at as u32).wrapping_mul(2_654_435_761));
    group(c, "sort", SHORT, |steps| shop::sort(black_box(&numbers), steps));
    let map = (0..1_000).map(|key| (key * 7, key)).collect();
    group(c, "map", LONG, |steps| shop::map(black_box(&map), steps));
    let mut text = String::with_capacity(64);
    group(c, "format", SHORT, |steps| shop::format(&mut text, steps));
    let tree = (0..1_000).map(|key| (key * 7, key)).collect();
    group(c, "tree", LONG, |steps| shop::tree(black_box(&tree), steps));
}

criterion_group!(benches, suite);
criterion_main!(benches);
