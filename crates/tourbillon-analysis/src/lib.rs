//! Samples in; estimates, verdicts and findings out.
//!
//! * [`estimate`] makes results from the launches of a case. The same launches always give the same results, so that
//!   a stored run can be recomputed.
//! * [`judge_blocks`] makes a verdict from the launches of two cases, [`judge`] from the rounds of a comparison,
//!   [`evidence`] a p-value for gates.
//! * [`LaunchQuota`] and [`settled`] decide when enough was measured.
//!
//! No input or output, no processes, no clock.

#![forbid(unsafe_code)]

mod estimate;
mod frequency;
mod launch_quota;
pub mod sweep;
#[cfg(feature = "synthetic")]
pub mod synthetic;
mod verdict;

pub use estimate::{
    BY_COUNTER, COUNTED, Contended, LaunchUse, METHOD, PERCENTILES, Rules, Spread, Tally, Usage,
    contended, contended_share, counted, estimate, estimate_and_spread, median_of, median_of_kind,
    percentile, steady_rows, ticks_inside, used, went_backwards,
};
pub use frequency::{Frequency, void_times};
pub use launch_quota::LaunchQuota;
pub use verdict::{
    BLOCKS, Block, BlockArm, BlocksLeft, Criteria, Design, blocks, blocks_left, differs, disturbed,
    evidence, fastest_arms, fastest_two, fewest_pairs, first_deciding_look, is_look, is_size_open,
    judge, judge_blocks, judge_numbers, more_needed, placement_spread, ratios, settled,
    settled_among, ticks_per_op, typical_ticks_per_op, with_margin,
};
