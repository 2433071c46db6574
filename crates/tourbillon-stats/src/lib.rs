//! Statistics of measurements: pure numbers in, numbers out.
//!
//! No clock, no input or output, no global state: the same numbers and the same seed give the same
//! bits, on every machine. To that end nothing here calls a function of the platform's mathematics
//! library; there are only the exactly rounded operations of IEEE 754.
//!
//! A [`Sample`] is sorted, not empty and finite by construction, so that the functions of samples
//! have no failing cases of their own.
//!
//! | question | function | what it assumes |
//! |---|---|---|
//! | what is typical? | [`median`], [`quantile`], [`hodges_lehmann`] | nothing; symmetry for the last |
//! | how far do values scatter? | [`mad`], [`stddev`] | nothing |
//! | how sure is the median? | [`median_interval`], [`widest_interval`] | independent values |
//! | how sure is a paired difference? | [`signed_rank_interval`] | symmetry, which a fair coin for the order gives |
//! | what does one op cost? | [`near_slopes`], [`paired_slopes`], [`difference_of_medians`] | time linear in the ops |
//! | how does y grow with x? | [`theil_sen`] | a straight line |
//! | may one look before the end? | [`looks`] | nothing |
//! | is a centre beyond a limit? | [`signed_rank_test`] | symmetry, as above |
//! | which of many claims hold together? | [`holm`], [`step_down`], [`benjamini_hochberg`] | nothing; independence for the last |
//!
//! Every bench binary is built with this crate. What none of them calls yet is `#[inline]`: the
//! compiler then builds it where it is called, and not here.

#![forbid(unsafe_code)]
// Tests compare exactly on purpose: fixtures say whether they are exact or approximate.
#![cfg_attr(not(test), warn(clippy::float_cmp))]

mod confidence;
mod hodges_lehmann;
mod interval;
mod looks;
mod median_interval;
mod moments;
mod multiplicity;
mod normal;
mod p_value;
mod quantile;
mod rng;
mod sample;
mod signed_rank;
mod signed_rank_test;
mod slope;
mod sort;
mod spread;
mod theil_sen;

pub use confidence::{Confidence, NotAConfidence};
pub use hodges_lehmann::hodges_lehmann;
pub use interval::{Interval, TooFew};
pub use looks::{LAUNCHES, Look, looks};
pub use median_interval::{median_interval, widest_interval};
pub use moments::{mean, stddev};
pub use multiplicity::{benjamini_hochberg, holm, step_down};
pub use p_value::{NotAProbability, PValue};
pub use quantile::{median, quantile};
pub use rng::Rng;
pub use sample::{Invalid, Sample};
pub use signed_rank::signed_rank_interval;
pub use signed_rank_test::{Tail, signed_rank_test};
pub use slope::{Slope, curvature, difference_of_medians, near_slopes, paired_slopes};
pub use sort::sort;
pub use spread::{MAD_TO_STDDEV, mad};
pub use theil_sen::{Line, NoLine, theil_sen};
