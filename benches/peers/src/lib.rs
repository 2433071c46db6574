//! What the benchmarks of all harnesses have in common: the kernels, and the truth about them.
//!
//! Each file in `benches/` (and `libtest/benches/`) measures the same kernels in the way that the
//! documentation of its harness shows. [`around`] and [`Bracket`] read beside the measurement how
//! long the core's cycle is, so that nanoseconds can be held against costs that are known in cycles.

mod bracket;
mod chain;
mod kernels;

pub use bracket::{Bracket, around};
pub use chain::nanos_per_cycle;
pub use kernels::{CASES, Case, add, lat, mov, thr};
