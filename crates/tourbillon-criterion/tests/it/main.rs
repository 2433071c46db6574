//! Crates that implement the traits of another version of criterion, such as criterion-cycles-per-byte: with one of
//! the features `traits-*`.

use std::fs;
use std::path::Path;
use std::process;

use criterion::Criterion;
#[cfg(feature = "traits-0-4")]
use criterion_0_4 as other;
#[cfg(feature = "traits-0-5")]
use criterion_0_5 as other;
#[cfg(feature = "traits-0-8")]
use criterion_0_8 as other;
use other::Throughput;
use other::measurement::{Measurement, ValueFormatter, WallTime};

struct Sheep;

impl Measurement for Sheep {
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

impl ValueFormatter for Sheep {
    fn scale_values(&self, _: f64, _: &mut [f64]) -> &'static str {
        "sheep"
    }

    fn scale_throughputs(
        &self,
        _: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let Throughput::Elements(elements) = throughput else {
            panic!("not the throughput of the benchmark: {throughput:?}");
        };
        for value in values {
            *value /= *elements as f64;
        }
        "sheep/element"
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        "sheep"
    }
}

fn counted(criterion: &mut Criterion<Sheep>) {
    let mut group = criterion.benchmark_group("counted");
    group.throughput(Throughput::Elements(2));
    group.bench_function("sheep", |b| b.iter_custom(|iters| 5 * iters));
}

/// Signatures of suites name wall time.
fn timed(criterion: &mut Criterion<WallTime>) {
    criterion.bench_function("timed", |b| b.iter(|| (0..100_u64).sum::<u64>()));
}

fn estimates(folder: &Path) -> String {
    let file = folder.join("new").join("estimates.json");
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file:?}: {error}"))
}

#[test]
fn measurements_of_another_version_are_measured() {
    let folder = std::env::temp_dir().join(format!("criterion-traits-{}", process::id()));
    let criterion = || Criterion::default().output_directory(&folder);
    counted(&mut criterion().with_measurement(Sheep));
    let sheep = estimates(&folder.join("counted").join("sheep"));
    assert!(sheep.contains(r#""point_estimate":5.0"#), "{sheep}");
    timed(&mut criterion());
    estimates(&folder.join("timed"));
    fs::remove_dir_all(folder).expect("a folder");
}
