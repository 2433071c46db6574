//! Criterion's API on the engine of Tourbillon.
//!
//! A suite of criterion 0.3 to 0.8 is measured by it after a change of one line in `Cargo.toml`, which names a clone of
//! the repository, or `git = "https://example.com/OWNER/tourbillon"` in place of `path`:
//!
//! ```toml
//! [dev-dependencies]
//! criterion = { package = "tourbillon-criterion", path = "/path/to/tourbillon/crates/tourbillon-criterion" }
//! ```
//!
//! Names, features and ids are criterion's. Every benchmark is measured in about twenty fresh processes, and its
//! interval holds across processes. What differs is on the page `docs/how-to/criterion-suite.md` of the repository.
//!
//! ```no_run
//! use criterion::{Criterion, criterion_group, criterion_main};
//! use std::hint::black_box;
//!
//! fn fibonacci(n: u64) -> u64 {
//!     if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
//! }
//!
//! fn benches(c: &mut Criterion) {
//!     c.bench_function("fib 20", |b| b.iter(|| fibonacci(black_box(20))));
//! }
//!
//! criterion_group!(all, benches);
//! criterion_main!(all);
//! ```

#![forbid(unsafe_code)]

#[cfg(any(
    all(feature = "traits-0-4", feature = "traits-0-5"),
    all(feature = "traits-0-4", feature = "traits-0-8"),
    all(feature = "traits-0-5", feature = "traits-0-8")
))]
compile_error!(
    "one of the features traits-0-4, traits-0-5 and traits-0-8 at most: they replace the same items"
);

mod amount;
#[cfg(feature = "async")]
mod async_bencher;
pub mod async_executor;
mod baseline;
mod batch_size;
mod bencher;
mod change;
mod criterion;
mod files;
mod filter;
mod flags;
mod group;
mod id;
mod iter_manual_options;
mod lines;
mod macros;
#[cfg(not(feature = "_traits"))]
pub mod measurement;
mod options;
mod outputs;
mod plot;
mod process;
pub mod profiler;
mod routine;
mod scale;
mod stdout;
#[cfg(not(feature = "_traits"))]
mod throughput;
mod values;
mod wrapper;

#[cfg(feature = "async")]
pub use async_bencher::AsyncBencher;
pub use baseline::Baseline;
pub use batch_size::BatchSize;
pub use bencher::Bencher;
pub use criterion::Criterion;
pub use filter::{BenchmarkFilter, Regex};
pub use group::BenchmarkGroup;
pub use id::BenchmarkId;
pub use iter_manual_options::IterManualOptions;
pub use options::SamplingMode;
pub use plot::{AxisScale, PlotConfiguration, PlottingBackend};
#[cfg(not(feature = "_traits"))]
pub use throughput::Throughput;

pub use wrapper::WrapperRunner;

// The traits that other crates implement, of the version of criterion that they name.
#[cfg(feature = "traits-0-4")]
pub use criterion_0_4::{Throughput, measurement};
#[cfg(feature = "traits-0-5")]
pub use criterion_0_5::{Throughput, measurement};
#[cfg(feature = "traits-0-8")]
pub use criterion_0_8::{Throughput, measurement};

pub use std::hint::black_box;

/// Counts what benchmarks allocate.
#[cfg(feature = "mem")]
#[global_allocator]
static METER: tourbillon::mem::Meter = tourbillon::mem::Meter::system();

/// What the macros refer to. Not part of the API.
#[doc(hidden)]
pub mod __private {
    pub use crate::group::target;
    pub use crate::process::{line_read, main, role_read};
    pub use tourbillon::private::compiler_flags;
}
