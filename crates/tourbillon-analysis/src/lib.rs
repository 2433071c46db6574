//! Samples in; estimates, verdicts and findings out.
//!
//! * [`estimate`] makes results from visits; whoever reads a stored run gets the same from it.
//! * [`judge`] and [`judge_builds`] make verdicts from rounds, [`evidence`] and [`evidence_builds`]
//!   p-values for gates.
//! * [`LaunchQuota`], [`settled`], [`builds_settled`] and [`processes_settled`] tell when enough was measured.
//!
//! No input, no output, no processes, no clock: the same samples give the same results.

#![forbid(unsafe_code)]

mod estimate;
mod frequency;
mod launch_quota;
pub mod sweep;
mod verdict;
mod void_times;

pub use estimate::{
    BY_COUNTER, METHOD, Rules, Tally, contended, contended_share, estimate, median_of_kind,
    ticks_inside, went_backwards,
};
pub use estimate::{COUNTED, counted, steady_rows};
pub use frequency::Frequency;
pub use launch_quota::LaunchQuota;
pub use verdict::{
    BUILDS_METHOD, Criteria, FUNCTIONS_METHOD, PROCESSES_METHOD, builds_settled, disturbed,
    evidence, evidence_builds, fastest_two, is_look, judge, judge_builds, judge_processes,
    processes_settled, settled,
};
pub use void_times::void_times;
