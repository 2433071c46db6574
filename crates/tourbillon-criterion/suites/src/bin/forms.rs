//! Every form of the API that suites use.

#![expect(clippy::print_stderr, reason = "profilers print")]
#![expect(clippy::type_complexity, reason = "suites write types so")]
#![expect(elided_lifetimes_in_paths, reason = "suites write types so")]

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use criterion::async_executor::FuturesExecutor;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::profiler::Profiler;
use criterion::*;

type Group<'a> = BenchmarkGroup<'a, WallTime>;
type Suite = Criterion<WallTime>;

fn item(b: &mut Bencher) {
    b.iter(|| black_box(1) + 1);
}

fn item_with_input(b: &mut Bencher<'_>, n: &u64) {
    b.iter(|| black_box(*n) + 1);
}

fn run_all(group: &mut Group, cases: &mut [(&str, Box<dyn FnMut(&mut Bencher)>)]) {
    for (name, f) in cases {
        group.bench_function(*name, |b| f(b));
    }
}

fn with(group: &mut BenchmarkGroup<WallTime>, name: &str, f: impl FnMut(&mut Bencher)) {
    group.bench_function(name, f);
}

fn open<'a>(c: &'a mut Suite, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(name);
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500))
        .nresamples(2_000)
        .noise_threshold(0.05)
        .confidence_level(0.95)
        .significance_level(0.1)
        .sampling_mode(SamplingMode::Flat)
        .plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    group
}

macro_rules! bench_add {
    ($($name:ident $type:ty),*) => {
        $(
            fn $name(c: &mut Criterion) {
                c.bench_function(stringify!($name), |b| {
                    b.iter(|| black_box(1 as $type) + black_box(2 as $type))
                });
            }
        )*
    };
}

bench_add!(add_u8 u8, add_f64 f64);

fn terminals(c: &mut Criterion) {
    let mut group = open(c, "terminals");
    let shared = Rc::new(RefCell::new(Vec::new()));
    group.bench_function("iter", |b| {
        b.iter(|| {
            let mut shared = shared.borrow_mut();
            shared.clear();
            shared.push(1);
        })
    });
    group.bench_function("large_drop", |b| b.iter_with_large_drop(|| vec![1_u8; 100]));
    group.bench_function("batched", |b| {
        b.iter_batched(|| vec![3, 1, 2], |mut v| v.sort(), BatchSize::SmallInput)
    });
    group.bench_function("batched_ref", |b| {
        b.iter_batched_ref(
            || vec![3, 1, 2],
            |v| {
                v.sort();
                v.len()
            },
            BatchSize::LargeInput,
        )
    });
    group.bench_function("setup", |b| b.iter_with_setup(|| 1, |n| n + 1));
    group.bench_function("custom", |b| {
        b.iter_custom(|iters| {
            let start = Instant::now();
            for _ in 0..iters {
                black_box(black_box(2) * 2);
            }
            start.elapsed()
        })
    });
    // What is returned counts, not the time of the call.
    group.bench_function("costly call", |b| {
        b.iter_custom(|iters| Duration::from_nanos(300_000 + 50 * iters))
    });
    group.bench_function("constant", |b| {
        b.iter_custom(|_| Duration::from_micros(300))
    });
    group.bench_function("wrapper", |b| {
        let mut numbers = Vec::new();
        b.iter_with_setup_wrapper(|runner| {
            numbers.clear();
            numbers.extend([3, 1, 2]);
            runner.run(|| numbers.sort());
            assert_eq!(numbers, [1, 2, 3]);
        })
    });
    for size in [
        BatchSize::NumIterations(3),
        BatchSize::NumBatches(4),
        BatchSize::PerIteration,
    ] {
        // No more inputs are alive than the size says.
        let alive = Cell::new(0);
        struct Input<'a>(&'a Cell<u64>);
        impl Drop for Input<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() - 1);
            }
        }
        group.bench_function(format!("{size:?}"), |b| {
            b.iter_batched(
                || {
                    alive.set(alive.get() + 1);
                    match size {
                        BatchSize::NumIterations(most) => assert!(alive.get() <= most),
                        BatchSize::PerIteration => assert_eq!(alive.get(), 1),
                        _ => {}
                    }
                    Input(&alive)
                },
                |input| input.0.get(),
                size,
            )
        });
        assert_eq!(alive.get(), 0);
    }
    group.finish();
}

fn arguments(c: &mut Criterion) {
    c.bench_function("item", item);
    c.bench_with_input(BenchmarkId::new("function", 7), &7, item_with_input);
    let mut group = c.benchmark_group(String::from("arguments"));
    group.bench_with_input("name", "unsized", |b, text| b.iter(|| text.len()));
    group.bench_with_input(
        BenchmarkId::new(String::from("id"), "p"),
        &[1, 2][..],
        |b, slice| b.iter(|| slice.iter().sum::<i32>()),
    );
    let offset = 5;
    with(&mut group, "impl", move |b| {
        b.iter(|| black_box(1) + offset)
    });
    run_all(&mut group, &mut [("boxed", Box::new(|b| b.iter(|| 1)))]);
    for throughput in [
        Throughput::Bytes(8),
        Throughput::BytesDecimal(8),
        Throughput::Elements(8),
        Throughput::Bits(64),
        Throughput::ElementsAndBytes {
            elements: 1,
            bytes: 8,
        },
    ] {
        let name = format!("{throughput:?}");
        group.throughput(throughput).bench_function(name, item);
    }
    // Longer than the titles of criterion, and than the names of its folders.
    group.bench_function("long ".repeat(30), item);
    drop(group);
}

/// As rayon's `ThreadPool::install`: runs a closure on another thread and waits for it.
fn on_pool<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| scope.spawn(run).join().expect("no panic"))
}

fn pooled(c: &mut Criterion) {
    let numbers: Vec<u64> = (0..1_000).collect();
    let mut group = c.benchmark_group("pooled");
    group.bench_function("iter", |b| {
        on_pool(|| b.iter(|| numbers.iter().copied().map(black_box).sum::<u64>()))
    });
    group.bench_function("batched", |b| {
        on_pool(|| b.iter_batched(|| numbers.clone(), |n| n, BatchSize::SmallInput))
    });
}

fn asynchronous(c: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let mut group = c.benchmark_group("async");
    group.bench_function("iter", |b| {
        b.to_async(&runtime).iter(|| async { black_box(1) + 1 })
    });
    group.bench_function("large_drop", |b| {
        b.to_async(FuturesExecutor)
            .iter_with_large_drop(|| async { vec![1] })
    });
    group.bench_function("batched", |b| {
        b.to_async(&runtime).iter_batched(
            || tokio::runtime::Handle::current().spawn(async { 1 }),
            |task| async move { task.await.expect("a number") },
            BatchSize::SmallInput,
        )
    });
    group.bench_function("batched_async_setup", |b| {
        b.to_async(&runtime).iter_batched_async_setup(
            || async { tokio::task::spawn(async { vec![3, 1, 2] }).await },
            |input| async move { input.expect("numbers").len() },
            BatchSize::NumIterations(3),
        )
    });
    group.bench_function("batched_ref", |b| {
        b.to_async(runtime.handle()).iter_batched_ref(
            || vec![1],
            |v| {
                v.push(2);
                async {}
            },
            BatchSize::PerIteration,
        )
    });
    group.bench_function("setup", |b| {
        b.to_async(&runtime)
            .iter_with_setup(|| 1, |n| async move { n + 1 })
    });
    group.bench_function("custom", |b| {
        b.to_async(FuturesExecutor).iter_custom(async |iters| {
            let start = Instant::now();
            for _ in 0..iters {
                black_box(async { 1 }.await);
            }
            start.elapsed()
        })
    });
}

thread_local! {
    static ALLOCATED: Cell<u64> = const { Cell::new(0) };
}

/// Bytes that bodies count.
struct Bytes;

struct BytesFormatter;

impl ValueFormatter for BytesFormatter {
    fn scale_values(&self, _typical: f64, _values: &mut [f64]) -> &'static str {
        "bytes"
    }

    fn scale_throughputs(&self, _: f64, _: &Throughput, _: &mut [f64]) -> &'static str {
        "bytes/s"
    }

    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "bytes"
    }
}

impl Measurement for Bytes {
    type Intermediate = u64;
    type Value = u64;

    fn start(&self) -> u64 {
        ALLOCATED.get()
    }

    fn end(&self, i: u64) -> u64 {
        ALLOCATED.get() - i
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
        &BytesFormatter
    }
}

fn allocate() {
    ALLOCATED.set(ALLOCATED.get() + 48);
}

fn measured(c: &mut Criterion<Bytes>) {
    let mut group = c.benchmark_group("measured");
    group.bench_function("iter", |b| b.iter(allocate));
    group.bench_function("batched", |b| {
        b.iter_batched(allocate, |()| allocate(), BatchSize::SmallInput)
    });
    group.bench_function("custom", |b| b.iter_custom(|iters| 7 * iters));
    group.bench_function("wrapper", |b| {
        b.iter_with_setup_wrapper(|runner| {
            allocate();
            runner.run(allocate);
        })
    });
    group.bench_function("async", |b| {
        b.to_async(FuturesExecutor).iter(async || allocate())
    });
    group.bench_function("async_setup", |b| {
        b.to_async(FuturesExecutor).iter_batched_async_setup(
            async || allocate(),
            async |()| allocate(),
            BatchSize::SmallInput,
        )
    });
}

/// Writes which benchmarks it looked at.
struct Notes;

impl Profiler for Notes {
    fn start_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path) {
        eprintln!("profiling {benchmark_id} in {}", benchmark_dir.display());
    }

    fn stop_profiling(&mut self, benchmark_id: &str, _benchmark_dir: &Path) {
        eprintln!("profiled {benchmark_id}");
    }
}

fn configured() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(2))
        .nresamples(5_000)
        .noise_threshold(0.02)
        .confidence_level(0.99)
        .significance_level(0.01)
        .plotting_backend(PlottingBackend::None)
        .with_plots()
        .without_plots()
        .with_output_color(false)
        .with_profiler(Notes)
}

struct Associated;

impl Associated {
    fn bench(c: &mut Criterion) {
        c.bench_function("associated", item);
    }
}

fn unfilled(_: &mut Criterion) {}

criterion_group![adds, add_u8, add_f64];
criterion_group!(
    name = all;
    config = configured();
    targets = terminals, arguments, pooled, asynchronous, Associated::bench, unfilled,
);
criterion_group! {
    name = own;
    config = Criterion::default().with_measurement(Bytes);
    targets = measured
}
criterion_main! {
    adds,
    all,
    own,
}
