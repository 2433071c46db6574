//! Every time source of the machine, what it costs and how good it is, and stopwatches on it.

pub mod characterise;
mod contamination;
pub mod cores;
pub mod counters;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub mod landmarks;
mod source;
mod sources;
mod tsc;
pub mod winstl;

pub use contamination::{Begun, Canary, Label, Switches, Undetected};
pub use source::{Behind, Counts, Listed, Path, Scope, Source};
pub use sources::sources;
pub use tourbillon_clock::parts::Rung;
pub use tsc::{Generation, TscReport};

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
