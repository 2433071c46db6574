//! A benchmarking system whose numbers can be believed.
//!
//! # A bench target
//!
//! In `Cargo.toml`:
//!
//! ```toml
//! [[bench]]
//! name = "speed"
//! harness = false
//! ```
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
//! `cargo bench` measures every case in about twenty fresh processes, 0.2 s a case, and prints a table
//! with 99 % intervals that hold across processes.
//!
//! # One line, anywhere
//!
//! ```
//! tourbillon::time("concat", || tourbillon::hide("a").to_owned() + "b");
//! ```
//!
//! # Where to go on
//!
//! * What a benchmark can say and which terminals there are: [`Bencher`].
//! * What the attribute takes: [`bench`](macro@bench).
//! * Values that the optimiser must not know, or must not drop: [`hide`], [`keep`].
//! * Processor time in place of wall time: `clock = cpu`. Numbers that a body returns: `Metric`.
//! * Cases compared with one another: `reference` of the attribute; for once, `--against CASE`.
//! * One thing timed in one line: [`time`], [`Timer`]; two compared: [`compare`], [`Comparer`].

mod adhoc;
mod bencher;
mod command;
mod contains;
mod lasting;
mod numbered;
#[cfg(doctest)]
mod pages;
mod panics;
mod platform;
mod processors;
mod registry;
mod text;

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
