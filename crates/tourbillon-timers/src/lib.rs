//! Every time source of the machine, its cost and quality, and counters and stopwatches for it.

mod canary;
pub mod characterise;
pub mod cores;
pub mod counters;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub mod reference_kernels;
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod rseq;
mod source;
mod sources;
mod tsc;
pub mod winstl;

pub use canary::{Begun, Canary, Label, Switches, Undetected};
pub use source::{Behind, Counts, Listed, Path, Scope, Source};
pub use sources::sources;
pub use tsc::{Generation, Rung, TscReport};

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
