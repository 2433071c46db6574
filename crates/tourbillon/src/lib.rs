//! A benchmarking system whose numbers can be believed: about twenty processes for each benchmark, and
//! intervals that hold for the next one.
//!
//! # Set-up
//!
//! In `Cargo.toml`:
//!
//! ```toml
//! [lib]
//! bench = false
//!
//! [dev-dependencies]
//! tourbillon = "0.1"
//!
//! [[bench]]
//! name = "speed"
//! harness = false
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
//! `cargo bench` measures every case in about twenty processes, 0.2 s a case, and prints a table with 99 %
//! intervals that hold across processes.
//!
//! # One line, anywhere
//!
//! ```
//! tourbillon::time("concat", || tourbillon::hide("a").to_owned() + "b");
//! ```
//!
//! # Where to continue
//!
//! * Terminal methods and modifiers of a benchmark: [`Bencher`].
//! * Options of the attribute: [`bench`](macro@bench).
//! * Values that the optimiser must not know, or must compute: [`hide`], [`keep`].
//! * Processor time instead of wall time: `clock = cpu`. Numbers that a body returns: [`Metric`].
//! * Comparisons: `reference` of the attribute; `--against CASE` on the command line; [`compare`] and
//!   [`Comparer`] in any program.
//! * One thing timed in one line: [`time`], [`Timer`].
//!
//! # Features
//!
//! * `mem` (off by default): the metering allocator as `tourbillon::mem`, and what an op asks of the
//!   allocator in each benchmark.

mod adhoc;
mod bencher;
mod command;
#[cfg(doctest)]
mod pages;
mod panics;
mod platform;
mod registry;

pub use adhoc::{
    Comparer, Comparison, Timer, Timing, compare, time, time_controlled, time_fixed,
    time_fixed_controlled, time_n, time_n_controlled,
};
pub use bencher::{Amount, Metric};
pub use bencher::{Bencher, Bytes, Items, Resettable, WithInputs, WithState, WithStream};
pub use command::main;
pub use registry::{Geometric, Integer, doubling, geometric};
pub use tourbillon_engine::{BlockOn, Control, Executor, hide, keep};
pub use tourbillon_macros::bench;
#[cfg(feature = "mem")]
pub use tourbillon_mem as mem;
pub use tourbillon_record::{Finding, Undecided};

#[doc(hidden)]
pub use registry::private;
