//! Benchmarks of real code, and the code that they share.
//!
//! The benchmarks are in `benches/`: `math` and `sort` are the place to start reading, `search`,
//! `strings_and_maps` and `memory_levels` show what inputs, set-up and memory do to a figure,
//! `programs` measures libraries on real input, `futures` asynchronous code, `threads` what several
//! threads do to each other, `landmarks` compares the harness itself with code whose cost
//! is known. Every one of them checks what its body computes before it is measured. `reproducible` is
//! short code of many kinds, to see whether each run gives the same answer.

#![forbid(unsafe_code)]

pub mod chase;
pub mod check;
pub mod counters;
pub mod landmarks;
#[cfg(feature = "metered")]
mod metered;
pub mod search;
pub mod shuffle;
pub mod sort;
pub mod workspace;

/// A page whose code needs a runtime, as a test. The others are tests of `tourbillon`.
#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/async.md")]
struct Async;
