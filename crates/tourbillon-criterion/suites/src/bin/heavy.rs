//! Targets whose set-up takes longer than a launch.

#![expect(clippy::print_stdout, reason = "bodies print")]

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process;
use std::thread::sleep;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};

/// Notes that a target was left by its destructors, in the folder that the tests name.
struct Left;

impl Drop for Left {
    fn drop(&mut self) {
        note("left");
    }
}

fn note(what: &str) {
    if let Some(folder) = env::var_os("SUITE_NOTES") {
        let path = PathBuf::from(folder).join(format!("{what}-{}", process::id()));
        fs::write(path, "").expect("a note");
    }
}

fn heavy(c: &mut Criterion) {
    let _left = Left;
    note("heavy");
    let set_up_ms = env::var("SUITE_SET_UP_MS").map_or(60, |ms| ms.parse().expect("a number"));
    sleep(Duration::from_millis(set_up_ms));
    let mut numbers: Vec<u64> = (0..100).collect();
    for name in ["first", "second"] {
        c.bench_function(name, |b| b.iter(|| numbers.iter().sum::<u64>()));
    }
    c.bench_function("fails", |b| {
        b.iter(|| -> u8 {
            println!("the body prints");
            if env::var_os("SUITE_EXITS").is_some() {
                process::exit(0);
            }
            panic!("the body is broken")
        })
    });
    numbers.reverse();
    c.bench_function("third", |b| b.iter(|| numbers.iter().max().copied()));
}

fn light(c: &mut Criterion) {
    c.bench_function("light", |b| b.iter(|| 1));
}

/// As of files in a folder, which are listed in another order by each process.
fn shuffled(c: &mut Criterion) {
    sleep(Duration::from_millis(60));
    let mut names = ["one", "two", "three"];
    let number = process::id() as usize % 6;
    names.rotate_left(number % 3);
    names[1..].rotate_left(number / 3);
    let mut group = c.benchmark_group("shuffled");
    for name in names {
        group.bench_function(name, |b| b.iter(|| 1));
    }
}

criterion_group!(benches, heavy, light, shuffled);
criterion_main!(benches);
