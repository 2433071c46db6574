//! From visits to results: method `slope-medians-3`.
//!
//! 1. **Batch**: ticks, less what its pauses left in the timed region, in nanoseconds by the
//!    clock's frequency, or in cycles by the readings of the reference chain around it; or what a counter
//!    had of its cycles, where it had those of all batches of all launches (`slope-medians-3-counter`).
//! 2. **Round**: left out where a neighbour kept the core busy, if the visit has others.
//! 3. **Launch**: (median of the long batches - median of the short ones) / ops of a short one,
//!    without batches that were hit by an interruption; where the batches of a round are long or short
//!    together, the median of their differences. Where there are no long batches: median /
//!    ops, the fixed cost standing as a bound.
//! 4. **Case**: median of the launches; interval by order statistics of the launches. With too
//!    few of them, the median of their rounds, and the order statistics of the rounds of each. Launches beside a
//!    busy neighbour in all but a few rounds are left out, if any others are there; in more than half of
//!    them, if enough others are.
//! 5. The interval is widened by what no launch can see: the **systematic part**.
//! 6. A result that cannot be told from the empty loop is **below the resolution**.
//!
//! Times of processors go the same way, without cycles. Numbers that bodies return, and times that the
//! system takes by looking now and then whose they are, go by method `totals-1`, which differs in one
//! step: a launch is the sum of its batches, divided by their ops.

#[cfg(feature = "amounts")]
mod amounts;
mod batch;
mod beside;
mod case;
mod chain;
#[cfg(feature = "memory")]
mod counted;
mod crowd;
mod empty_loop;
mod hit;
mod interval;
mod launch;
mod notes;
mod overlap;
mod pairs;
mod rounds;
mod systematic;
mod waiting;

pub use batch::went_backwards;
pub(crate) use batch::{median_of_kind, ticks_inside};
pub(crate) use beside::Beside;
pub use case::{BY_COUNTER, METHOD, Rules, Tally, estimate};
#[cfg(feature = "memory")]
pub use counted::{COUNTED, counted, steady_rows};
pub(crate) use empty_loop::{Standing, neighbour_from, quiet_at_most};
pub use empty_loop::{beside_a_neighbour, each_beside_a_neighbour};
pub(crate) use rounds::standing;
