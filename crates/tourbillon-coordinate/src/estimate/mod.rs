//! From visits to results: method `slope-medians-1`.
//!
//! 1. **Batch**: ticks, less what its pauses left in the timed region, in nanoseconds by the
//!    clock's frequency, or in cycles by the readings of the reference chain around it.
//! 2. **Launch**: (median of the long batches - median of the short ones) / ops of a short one.
//!    Where there are no long batches: median / ops, the fixed cost standing as a bound.
//! 3. **Case**: median of the launches; interval by order statistics of the launches, or, with too
//!    few of them, by those of the rounds of each.
//! 4. The interval is widened by what no launch can see: the **systematic part**.
//! 5. A result that cannot be told from the empty loop is **below the resolution**.

mod batch;
mod case;
mod chain;
#[cfg(feature = "memory")]
mod counted;
mod interval;
mod launch;
mod notes;
mod rounds;
mod systematic;

pub(crate) use batch::{median_of_kind, ticks_inside, went_backwards};
pub use case::{METHOD, Rules, Tally, estimate};
#[cfg(feature = "memory")]
pub use counted::{COUNTED, counted, steady_rows};
