//! Targets whose preludes others need, and names that differ between processes.

#![expect(clippy::print_stdout, reason = "suites print")]

#[macro_use]
extern crate criterion;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use criterion::Criterion;

static NEEDED: OnceLock<u64> = OnceLock::new();

/// A folder that is removed when its target ends.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // The tests look at what is left.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Notes that a prelude ran, in the folder that the tests name.
fn note(what: &str) {
    if let Some(folder) = env::var_os("SUITE_NOTES") {
        let path = PathBuf::from(folder).join(format!("{what}-{}", std::process::id()));
        fs::write(path, "").expect("a note");
    }
}

fn first(c: &mut Criterion) {
    println!("the first prelude prints");
    note("first");
    let _ = NEEDED.set(3);
    c.bench_function("first", |b| b.iter(|| 1));
}

fn second(c: &mut Criterion) {
    note("second");
    if NEEDED.get().is_some() {
        c.bench_function("needs the first", |b| b.iter(|| 2));
    }
}

fn third(c: &mut Criterion) {
    note("third");
    let folder = env::temp_dir().join(format!("suite-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let folder = Folder(folder);
    c.bench_function("in a folder", |b| b.iter(|| folder.0.exists()));
    c.bench_function(&format!("of process {}", std::process::id()), |b| {
        b.iter(|| 3)
    });
}

criterion_group!(benches, first, second, third);
criterion_main!(benches);
