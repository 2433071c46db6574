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
//! | how precise is the median? | [`median_interval`], [`widest_interval`] | independent values |
//! | how precise is a paired difference? | [`signed_rank_interval`] | symmetry, which a random order gives |
//! | what does one op cost? | [`near_slopes`], [`paired_slopes`], [`difference_of_medians`] | time linear in the ops |
//! | may a run look at its intervals before its end? | [`looks`] | nothing |
//! | is a centre beyond a limit? | [`signed_rank_test`] | symmetry, as above |
//! | which of many claims hold together? | [`holm`], [`step_down`], [`benjamini_hochberg`] | nothing; independence for the last |

#![forbid(unsafe_code)]
// Tests compare exactly on purpose: fixtures say whether they are exact or approximate.
#![cfg_attr(not(test), warn(clippy::float_cmp))]

mod confidence;
mod descriptive;
mod hodges_lehmann;
mod interval;
mod normal;
mod p_value;
mod rng;
mod sample;
mod signed_rank;
mod signed_rank_test;
mod slope;
mod step_down;

pub use confidence::{Confidence, LAUNCHES, Look, NotAConfidence, looks};
pub use descriptive::{MAD_TO_STDDEV, mad, mean, median, quantile, stddev};
pub use hodges_lehmann::hodges_lehmann;
pub use interval::{Interval, TooFew, median_interval, widest_interval};
pub use normal::upper_tail;
pub use p_value::{NotAProbability, PValue, benjamini_hochberg, holm};
pub use rng::Rng;
pub use sample::{Invalid, Sample, sort};
pub use signed_rank::signed_rank_interval;
pub use signed_rank_test::{Tail, signed_rank_test};
pub use slope::{Slope, curvature, difference_of_medians, near_slopes, paired_slopes};
pub use step_down::step_down;
