//! From visits to results: method `near-slopes-1`.
//!
//! 1. A batch is divided by the cycle that the reference chain read within 4 rounds of it, or by the
//!    frequency of the clock; or a counter had its cycles (`near-slopes-1-counter`).
//! 2. A **launch**: the median of (long batch - short batch) / ops, over all pairs at most 4 rounds apart. It
//!    needs 5 rounds. A body longer than a batch: the median of its batches / ops.
//! 3. A launch is **contended** where a quarter of the empty loop's turns took over 1.2 times the whole number
//!    of cycles that they take in the third quickest launch, or of the additions over 1.01 times what
//!    multiplications did.
//! 4. Contended launches are discarded and repeated, until 12 others are there or the case's time is over.
//! 5. A **case**: the median of its launches; the interval lies between two of their order statistics. With
//!    fewer than 8 it spans the rounds of each; fewer than 3 beside discarded ones are no figure.
//! 6. The interval is widened by what no launch can see: the **systematic part**.
//! 7. What cannot be told from the empty loop is **below the resolution**, an upper bound.
//!
//! Times of processors go the same way, without cycles. Numbers that bodies return, and times that the
//! system takes by looking now and then whose they are, go by method `totals-1`, which differs in one
//! step: a launch is the sum of its batches, divided by their ops.

#[cfg(feature = "amounts")]
mod amounts;
mod batch;
mod case;
mod chain;
mod contention;
#[cfg(feature = "memory")]
mod counted;
mod interval;
mod launch;
mod notes;
mod overlap;
mod rounds;
mod systematic;
mod waiting;

pub use batch::went_backwards;
pub(crate) use batch::{median_of_kind, ticks_inside};
pub use case::{BY_COUNTER, METHOD, Rules, Tally, estimate};
pub(crate) use contention::{Contention, TOLERANCE, turn};
pub use contention::{contended, contended_share};
#[cfg(feature = "memory")]
pub use counted::{COUNTED, counted, steady_rows};
