//! Samples in; estimates, verdicts and findings out.
//!
//! * [`estimate`] makes results from the launches of a case. The same launches always give the same results, so that
//!   a stored run can be recomputed.
//! * [`judge`] makes a verdict from the rounds of a comparison, [`evidence`] a p-value for gates.
//! * [`LaunchQuota`] and [`settled`] decide when enough was measured.
//!
//! No input or output, no processes, no clock.

#![forbid(unsafe_code)]

mod estimate;
mod frequency;
mod launch_quota;
pub mod sweep;
mod verdict;

pub use estimate::{
    BY_COUNTER, COUNTED, Contended, LaunchUse, METHOD, PERCENTILES, PROCESSES, Rules, Spread,
    Tally, Usage, commands, contended, contended_share, counted, estimate, estimate_and_spread,
    median_of_kind, percentile, steady_rows, ticks_inside, used, went_backwards,
};
pub use frequency::{Frequency, void_times};
pub use launch_quota::LaunchQuota;
pub use verdict::{
    Criteria, Design, differs, disturbed, evidence, fastest_two, is_look, judge, ratios, settled,
    typical_ticks_per_op,
};
