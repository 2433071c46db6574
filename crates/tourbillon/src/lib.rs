//! A benchmarking system whose numbers can be believed, on the noisy, shared machines that are usual.
//!
//! `cargo bench` measures every case in about twenty fresh processes, 0.2 s a case, and prints a table with
//! 99 % intervals that hold across processes.
//!
//! # Set-up
//!
//! In `Cargo.toml`, with the absolute path of a clone of the repository, or
//! `git = "https://example.com/OWNER/tourbillon"` in place of `path`:
//!
//! ```toml
//! [dev-dependencies]
//! tourbillon = { path = "/path/to/tourbillon/crates/tourbillon" }
//!
//! [[bench]]
//! name = "speed"
//! harness = false
//!
//! [lib]
//! bench = false
//! ```
//!
//! `harness = false` replaces the standard harness by [`main`]. `bench = false` keeps `cargo bench` from
//! starting the standard harness for the library, which refuses the flags of this one.
//!
//! In `benches/speed.rs`:
//!
//! ```
//! use tourbillon::{Bencher, bench, hide};
//!
//! #[bench]
//! fn concat() -> String {
//!     hide("a").to_owned() + "b"
//! }
//!
//! #[bench(args = [100, 1_000])]
//! fn sum(b: Bencher<'_>, n: u64) {
//!     let numbers: Vec<u64> = (0..n).collect();
//!     b.iter(|| numbers.iter().sum::<u64>());
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     tourbillon::main()
//! }
//! ```
//!
//! Then `cargo bench`; `cargo bench -- --help` lists the flags, `cargo bench -- sum/100` measures one case.
//! `cargo install --path /path/to/tourbillon/crates/cargo-tourbillon` adds `cargo tourbillon`: runs of all targets,
//! comparisons of revisions, and a check of the machine.
//!
//! # One line, anywhere
//!
//! ```
//! tourbillon::time("concat", || tourbillon::hide("a").to_owned() + "b");
//! ```
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `mem` | `tourbillon::mem`, a metering allocator, and what benchmarks allocate; off by default |
//!
//! # Where to go on
//!
//! | for | see |
//! |---|---|
//! | methods for bodies, inputs, states, streams, threads and futures | [`Bencher`] |
//! | options of the attribute: arguments, types, groups, tags, limits | [`bench`](macro@bench) |
//! | values that the optimiser must not know, or must not drop | [`hide`], [`keep`] |
//! | rates in bytes or items per second | [`Bytes`], [`Items`] |
//! | processor time in place of wall time | `clock = cpu` of the attribute |
//! | numbers that a body returns | [`Metric`] |
//! | cases compared with each other | `reference` of the attribute; for once, `--against CASE` |
//! | one thing timed in one line; two compared | [`time`], [`Timer`]; [`compare`], [`Comparer`] |
//! | exit codes | [`main`] |
//!
//! The repository has tutorials, how-to pages, a reference, the methodology and the evidence of its accuracy;
//! docs/SUMMARY.md lists them.
//!
//! Linux, Windows and macOS on x86-64 and 64-bit Arm, see docs/reference/platforms.md. Rust 1.89 or later.

mod adhoc;
mod bencher;
mod command;
#[cfg(doctest)]
mod pages;
mod panics;
#[doc(hidden)]
pub mod program;
mod registry;

pub use adhoc::{
    Comparer, Comparison, Timer, Timing, compare, time, time_controlled, time_fixed,
    time_fixed_controlled, time_n, time_n_controlled,
};
pub use bencher::{
    Amount, Bencher, Bytes, Items, Metric, Resettable, WithInputs, WithState, WithStream,
};
pub use command::main;
pub use registry::{Geometric, Integer, doubling, geometric};
pub use tourbillon_engine::{BlockOn, Control, Executor, hide, keep};
pub use tourbillon_macros::bench;
#[doc(hidden)]
pub use tourbillon_macros::bench_group;
#[cfg(feature = "mem")]
pub use tourbillon_mem as mem;
pub use tourbillon_record::{Finding, Undecided};

#[doc(hidden)]
pub use registry::private;
