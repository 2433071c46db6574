//! The evidence for a regression: a p-value, for the gate of a suite.

use tourbillon_record::{Rounds, Undecided};
use tourbillon_stats::{PValue, Sample, Tail, signed_rank_test};

use super::criteria::Criteria;
use super::design::Design;
use super::sequence::{decide, share};

/// p-value of the hypothesis that arm `second` is slower than arm `first` by the margin of `criteria` at most.
/// Valid at whichever look the comparison stopped; 1 where nothing may be decided.
///
/// For the gate of a suite: [`tourbillon_stats::holm`] over the values of its cases keeps the
/// probability of any false alarm. A single case has [`crate::judge`].
pub fn evidence(
    design: Design,
    launches: &[Rounds],
    first: usize,
    second: usize,
    criteria: Criteria,
) -> PValue {
    let units = design.units(launches, first, second);
    let control = design.control(launches, criteria);
    let schedule = design.schedule();
    if design.void(&units, control.as_ref()).is_some()
        || decide(&units, schedule, criteria).why == Some(Undecided::Drift)
    {
        return PValue::ONE;
    }
    // The smallest p-value of all looks, each divided by the share of the error of its look: by Bonferroni's
    // inequality it is below alpha with probability alpha at most.
    let margin = criteria.margin.ln_1p();
    let mut smallest = PValue::ONE;
    for look in 0.. {
        let at = schedule.at(look);
        let sample = Sample::new(units.of_first(at).to_vec());
        // The share of an error of 1, a little less so that it is one.
        if let (Ok(sample), Some(share)) = (sample, share(1.0 - f64::EPSILON, look)) {
            let own = signed_rank_test(&sample, margin, Tail::Above).times(1.0 / share.error());
            if own < smallest {
                smallest = own;
            }
        }
        if at >= units.rounds {
            break;
        }
    }
    smallest
}
