//! From launches to results: method `near-slopes-2`.
//!
//! ```text
//! cycle        = mean of the reference chain's readings at most 4 away, without those of twice or half their median
//! launch       = median of (long[i] - short[j]) / ops, in cycles, over rounds with |i - j| <= 4; at least 5 rounds
//! turn         = lower quartile q of turns in the third quickest launch; where turns scatter, max(1, floor(q + 0.2))
//! contended    = rounds next to turns > 1.2 turn; launches with fewer than 5 others (or half), or with the upper
//!                quartile of additions > 1.01 times multiplications; by 3 readings at least
//! repeat launches until 12 (or all requested) are not contended, within the time of the case; until 8, within twice or 3 s
//! estimate     = median of the launches that are not contended; interval = their order statistics +- systematic
//! systematic   = (clock's bound, or 0.0005 + chain's spread) * estimate + empty / 6 + half the fixed cost without slope
//! lower end    - estimate * (1 - (1 - share waited) / mean(turn read / turn, 1 below 1.1)): batches of 0.3 ms or more
//! no figure    : fewer than 3 launches are not contended, or half-width > estimate / 2; then a range of all (rough.rs)
//! only a bound : estimate < 1.5 empty, and lower end <= upper end of empty
//! ```
//!
//! Processor times use the same method, without cycles. Numbers that bodies return, and times that the system
//! attributes in steps, use method `totals-1`, which differs in one step: a launch is the sum of its batches
//! divided by their ops.

mod calls;
mod case;
mod chain;
mod contention;
mod interval;
mod launch;
mod launch_use;
mod memory_results;
mod notes;
mod readings;
mod rough;
mod rules;
mod scale;
mod scaled_batches;
mod spread;
mod totals;
mod unseen;

pub use calls::{PERCENTILES, percentile};
pub use case::{BY_COUNTER, METHOD, estimate, estimate_and_spread};
pub use contention::{Contended, contended, contended_share};
pub(crate) use contention::{Contention, TOLERANCE, turn};
pub use launch_use::{LaunchUse, Usage, used};
pub use memory_results::{COUNTED, counted, steady_rows};
pub use readings::{median_of, median_of_kind, ticks_inside, went_backwards};
pub use rules::{Rules, Tally};
pub use spread::Spread;
pub(crate) use unseen::unseen;
