//! What real suites rely on, besides the forms of the API.

#![expect(clippy::print_stderr, clippy::print_stdout, reason = "suites print")]

use std::cell::Cell;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{self, Command};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use criterion::measurement::{Measurement, ValueFormatter};
use criterion::{
    BatchSize, Bencher, Criterion, Throughput, black_box, criterion_group, criterion_main,
};

fn item(b: &mut Bencher<'_>) {
    b.iter(|| black_box(1) + 1);
}

/// Notes what a process does, in the folder that the tests name.
fn note(what: &str) {
    if let Some(folder) = env::var_os("SUITE_NOTES") {
        let path = PathBuf::from(folder).join(format!("{what}-{}", process::id()));
        fs::write(path, "").expect("a note");
    }
}

/// As of files in a folder, which are listed in no order.
fn unordered(c: &mut Criterion) {
    let mut names = ["one", "two", "three"];
    names.rotate_left(process::id() as usize % 3);
    let mut group = c.benchmark_group("unordered");
    for name in names {
        group.bench_function(name, item);
    }
}

/// A suite that prints, and whose processes are in another folder, and have another thread.
fn elsewhere(c: &mut Criterion) {
    println!("elsewhere begins");
    env::set_current_dir(env::temp_dir()).expect("a folder");
    thread::spawn(|| thread::sleep(Duration::from_secs(3600)));
    if env::args().any(|argument| argument == "--bench") {
        note("arguments");
    }
    c.bench_function("elsewhere", item);
}

/// A suite that looks at what it has measured.
fn settings(c: &mut Criterion) {
    // It sets no flags on its own, and obeys them.
    Criterion::default().bench_function("own criterion", item);
    let mut group = c.benchmark_group("late");
    group
        .bench_function("throughput", item)
        .throughput(Throughput::Elements(7));
    group.bench_function("next", item);
}

fn closures(c: &mut Criterion) {
    let mut group = c.benchmark_group("closures");
    static LAZY: OnceLock<u64> = OnceLock::new();
    group.bench_function("lazy", |b| {
        b.iter(|| {
            *LAZY.get_or_init(|| {
                thread::sleep(Duration::from_millis(100));
                3
            })
        })
    });
    group.bench_function("drops", |b| b.iter(|| vec![1_u8; 100]));
    group.bench_function("drops later", |b| {
        b.iter_with_large_drop(|| vec![1_u8; 100])
    });
    group.bench_function("slow set-up", |b| {
        b.iter_batched(
            || thread::sleep(Duration::from_millis(1)),
            |()| (),
            BatchSize::SmallInput,
        )
    });
    let alive = Cell::new(0);
    struct Large<'a>(&'a Cell<u64>, Vec<u8>);
    impl Drop for Large<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() - 1);
        }
    }
    group.bench_function("large inputs", |b| {
        b.iter_batched(
            || {
                alive.set(alive.get() + 1);
                assert!(alive.get() <= 10, "{} inputs are alive", alive.get());
                Large(&alive, vec![1; 10 << 20])
            },
            |input| input.1.len(),
            BatchSize::LargeInput,
        )
    });
    group.bench_function("asked", |b| {
        b.iter_custom(|iters| {
            eprintln!("asked for {iters}");
            assert!(iters > 0);
            Duration::from_nanos(100 * iters)
        })
    });
    group.bench_function("starts itself", |b| {
        let program = env::current_exe().expect("a program");
        let listed = Command::new(program).args(["--list", "^late"]).output();
        let listed = String::from_utf8(listed.expect("a list").stdout).expect("text");
        assert_eq!(listed, "late/throughput: benchmark\nlate/next: benchmark\n");
        item(b);
    });
}

/// A name that ends as the number of a repeated one does; each takes another time.
fn repeated(c: &mut Criterion) {
    for (name, ns) in [("repeated", 100), ("repeated", 200), ("repeated #2", 300)] {
        c.bench_function(name, |b| {
            b.iter_custom(|iters| Duration::from_nanos(ns * iters))
        });
    }
}

/// Counts in places of times.
struct Counts;

impl ValueFormatter for Counts {
    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        if typical < 1e3 {
            return "counts";
        }
        for value in values {
            *value /= 1e3;
        }
        "kilocounts"
    }

    fn scale_throughputs(
        &self,
        _: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let bytes = match throughput {
            Throughput::Bytes(bytes) => *bytes as f64,
            _ => 1.0,
        };
        for value in values {
            *value /= bytes;
        }
        "counts/byte"
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        "counts"
    }
}

impl Measurement for Counts {
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

fn counted(c: &mut Criterion<Counts>) {
    let mut group = c.benchmark_group("counted");
    group.throughput(Throughput::Bytes(8));
    // As of data that are not seeded: another number in each process.
    group.bench_function("of the process", |b| {
        b.iter_custom(|iters| u64::from(process::id()) * iters)
    });
    group.bench_function("the last call", |b| {
        b.iter_custom(|iters| 3 * iters);
        b.iter_custom(|iters| 4_000 * iters);
    });
}

criterion_group!(benches, unordered, elsewhere, settings, closures, repeated);
criterion_group! {
    name = own;
    config = Criterion::default().with_measurement(Counts);
    targets = counted
}
criterion_main!(benches, own);
