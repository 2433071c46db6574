//! Thirty bodies from a nanosecond to 100 ms, written against criterion's API alone, so that criterion and Tourbillon
//! measure the same source.

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use criterion::async_executor::FuturesExecutor;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

/// Numbers without a pattern.
fn numbers(count: usize) -> Vec<u64> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn fibonacci(n: u32) -> u64 {
    if n < 2 {
        u64::from(n)
    } else {
        fibonacci(n - 1) + fibonacci(n - 2)
    }
}

/// Iterations of the map of Mandelbrot's set over a square of points.
fn mandelbrot(side: u32, limit: u32) -> u32 {
    let mut total = 0;
    for row in 0..side {
        for column in 0..side {
            let (cx, cy) = (
                f64::from(column) / f64::from(side) * 3.0 - 2.0,
                f64::from(row) / f64::from(side) * 2.0 - 1.0,
            );
            let (mut x, mut y, mut count) = (0.0, 0.0, 0);
            while count < limit && x * x + y * y <= 4.0 {
                (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
                count += 1;
            }
            total += count;
        }
    }
    total
}

fn primes_below(end: usize) -> usize {
    let mut composite = vec![false; end];
    let mut count = 0;
    for number in 2..end {
        if !composite[number] {
            count += 1;
            for multiple in (number * number..end).step_by(number) {
                composite[multiple] = true;
            }
        }
    }
    count
}

/// Bodies of some nanoseconds, in which what the compiler knows decides.
fn short(c: &mut Criterion) {
    let mut group = c.benchmark_group("short");
    let (first, second) = (3_u64, 4_u64);
    group.bench_function("add captured", |b| b.iter(|| first + second));
    group.bench_function("add hidden", |b| {
        b.iter(|| black_box(first) + black_box(second))
    });
    let exponent = 20;
    group.bench_function("power captured", |b| {
        b.iter(|| 3_u64.wrapping_pow(exponent))
    });
    let array = [1_u32, 2, 3, 4, 5, 6, 7, 8];
    group.bench_function("sum of array captured", |b| {
        b.iter(|| array.iter().sum::<u32>())
    });
    let divisor = 7;
    group.bench_function("divide hidden", |b| {
        b.iter(|| black_box(1_000_003_u64) / black_box(divisor))
    });
    let text = "1234567";
    group.bench_function("parse captured", |b| b.iter(|| text.parse::<u64>()));
    group.bench_function("parse hidden", |b| {
        b.iter(|| black_box(text).parse::<u64>())
    });
    let lock = Mutex::new(0_u64);
    group.bench_function("lock", |b| {
        b.iter(|| {
            let mut value = lock.lock().expect("not poisoned");
            *value += 1;
            *value
        })
    });
    group.bench_function("clock", |b| b.iter(Instant::now));
    group.finish();
}

/// Bodies that allocate, and where the drop is.
fn owned(c: &mut Criterion) {
    let mut group = c.benchmark_group("owned");
    let number = 1_234_567;
    group.bench_function("format", |b| b.iter(|| format!("number {number}")));
    group.bench_function("1 KiB, drop inside", |b| b.iter(|| vec![1_u8; 1024]));
    group.bench_function("1 KiB, drop outside", |b| {
        b.iter_with_large_drop(|| vec![1_u8; 1024])
    });
    group.bench_function("list of 100, drop inside", |b| {
        b.iter(|| (0..100_u32).map(Box::new).collect::<Vec<_>>())
    });
    let map: HashMap<u64, u64> = (0..1000).map(|key| (key, key)).collect();
    group.bench_function("look up in map", |b| b.iter(|| map[&black_box(500)]));
    let mut tree = BTreeMap::new();
    let mut next = 0_u64;
    group.bench_function("insert into growing tree", |b| {
        b.iter(|| {
            next = next.wrapping_add(0x9E37_79B9_7F4A_7C15);
            tree.insert(next, next)
        })
    });
    group.finish();
}

/// Bodies with inputs of their own.
fn prepared(c: &mut Criterion) {
    let mut group = c.benchmark_group("prepared");
    let few = numbers(100);
    let sort = |mut values: Vec<u64>| {
        values.sort_unstable();
        values
    };
    group.bench_function("sort 100, small input", |b| {
        b.iter_batched(|| few.clone(), sort, BatchSize::SmallInput)
    });
    group.bench_function("sort 100, in place", |b| {
        b.iter_batched_ref(
            || few.clone(),
            |values| values.sort_unstable(),
            BatchSize::SmallInput,
        )
    });
    group.bench_function("sort 100, one at a time", |b| {
        b.iter_batched(|| few.clone(), sort, BatchSize::PerIteration)
    });
    group.bench_function("add one, small input", |b| {
        b.iter_batched(|| 1_u64, |value| value + 1, BatchSize::SmallInput)
    });
    group.bench_function("add one, one at a time", |b| {
        b.iter_batched(|| 1_u64, |value| value + 1, BatchSize::PerIteration)
    });
    let many = numbers(1 << 17);
    group.bench_function("sum of 1 MiB, large input", |b| {
        b.iter_batched(
            || many.clone(),
            |values| values.iter().fold(0_u64, |sum, value| sum ^ value),
            BatchSize::LargeInput,
        )
    });
    group.finish();
}

/// Bodies that time themselves, and futures.
fn driven(c: &mut Criterion) {
    let mut group = c.benchmark_group("driven");
    group.bench_function("own clock", |b| {
        b.iter_custom(|iterations| {
            let start = Instant::now();
            for _ in 0..iterations {
                black_box(fibonacci(black_box(10)));
            }
            start.elapsed()
        })
    });
    group.bench_function("own clock and a thread", |b| {
        b.iter_custom(|iterations| {
            let start = Instant::now();
            let work = move || {
                (0..iterations)
                    .map(|_| fibonacci(black_box(10)))
                    .sum::<u64>()
            };
            black_box(thread::spawn(work).join().expect("no panic"));
            start.elapsed()
        })
    });
    group.bench_function("ready future", |b| {
        b.to_async(FuturesExecutor)
            .iter(|| async { black_box(1_u64) + 1 })
    });
    group.finish();
}

/// Bodies from a microsecond to 100 ms.
fn long(c: &mut Criterion) {
    let mut group = c.benchmark_group("long");
    group.bench_function("fibonacci 15", |b| b.iter(|| fibonacci(black_box(15))));
    let values = numbers(100_000);
    group.bench_function("sum of 100000", |b| {
        b.iter(|| {
            values
                .iter()
                .fold(0_u64, |sum, value| sum.wrapping_add(*value))
        })
    });
    group.bench_function("sleep 1 ms", |b| {
        b.iter(|| thread::sleep(Duration::from_millis(1)))
    });
    group.bench_function("sort 100000", |b| {
        b.iter(|| {
            let mut sorted = values.clone();
            sorted.sort_unstable();
            sorted
        })
    });
    group.bench_function("primes below 3000000", |b| {
        b.iter(|| primes_below(black_box(3_000_000)))
    });
    group.bench_function("mandelbrot 400", |b| {
        b.iter(|| mandelbrot(black_box(400), 400))
    });
    group.finish();
}

criterion_group!(benches, short, owned, prepared, driven, long);
criterion_main!(benches);
