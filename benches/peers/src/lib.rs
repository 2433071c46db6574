//! What the benchmarks of all harnesses have in common: the kernels, and the truth about them.
//!
//! Each file in `benches/` (and `libtest/benches/`) measures the same kernels in the way that the
//! documentation of its harness shows. [`around`] and [`Bracket`] read beside the measurement how
//! long the core's cycle is, so that nanoseconds can be held against costs that are known in cycles.
//!
//! The benchmarks `bodies_*` and `pairs_*` measure ordinary code, which is called again and again to see whether each
//! run gives the same answer: no truth is needed for that, and no readings.

mod bodies;
mod bracket;
mod chain;
mod kernels;
mod pairs;

pub use bodies::BODIES;
pub use bracket::{Bracket, around};
pub use chain::nanos_per_cycle;
pub use kernels::{CASES, Case, add, lat, mov, thr};
pub use pairs::PAIRS;

/// The name of a case, and of the one that it is compared with.
pub type Named = (&'static str, Option<&'static str>);
