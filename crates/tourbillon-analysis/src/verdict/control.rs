use tourbillon_record::{Control, Finding, Rounds, Undecided};

use super::functions::units;
use super::looks::Schedule;
use super::pairs::{Pairs, pairs};
use super::sequence::{BIAS_FLOOR, Criteria, Units, look_at};

/// The control may be wrong a tenth as often as a verdict: it is a fuse, not a finding.
const CONTROL_ERROR: f64 = 0.1;

/// Share of pairs left out above which nothing is decided.
const MOST_DROPPED: f64 = 0.3;

/// The reference against itself.
#[inline]
pub(crate) fn control(rounds: &Rounds, terms: Criteria) -> Option<Control> {
    let found = pairs(rounds, 0, rounds.cases.len());
    control_of(
        units(&found, rounds),
        found.log_ratios.len() as u64,
        Schedule::Pairs,
        terms,
    )
}

/// What units of a control say, which rest on so many pairs.
#[inline]
pub(crate) fn control_of(
    units: Units<'_>,
    pairs: u64,
    schedule: Schedule,
    terms: Criteria,
) -> Option<Control> {
    if units.values.is_empty() {
        return None;
    }
    // All there is: nothing is decided by the control, so nothing stops.
    let error = terms.error * CONTROL_ERROR;
    let said = look_at(units, schedule, error, |_, _| Finding::Undecided);
    let allowed = (terms.margin / 2.0).ln_1p();
    Some(Control {
        ratio: said.centre.map(f64::exp),
        lower: said.interval.map(|(lower, _)| lower.exp()),
        upper: said.interval.map(|(_, upper)| upper.exp()),
        pairs,
        fired: said.why == Some(Undecided::Drift)
            || said
                .interval
                .is_some_and(|(lower, upper)| lower > allowed || upper < -allowed),
    })
}

/// The margin that was asked for, but never below twice the bias that this process shows in the
/// control, nor below twice what any process has.
#[inline]
pub(crate) fn margin(asked: f64, control: Option<&Control>) -> f64 {
    let mut floor = BIAS_FLOOR;
    if let Some(Control {
        lower: Some(lower),
        upper: Some(upper),
        ..
    }) = control
    {
        // How far the interval is from 1.
        floor = floor.max(lower - 1.0).max(1.0 - upper);
    }
    asked.max(2.0 * floor)
}

/// Why nothing may be decided, whatever the pairs say.
#[inline]
pub(crate) fn void(pairs: &Pairs, control: Option<&Control>) -> Option<Undecided> {
    void_of(pairs.log_ratios.len() as u64, pairs.dropped, control)
}

/// The same of so many pairs that were kept, and left out.
#[inline]
pub(crate) fn void_of(kept: u64, dropped: u64, control: Option<&Control>) -> Option<Undecided> {
    let (kept, dropped) = (kept as f64, dropped as f64);
    if control.is_some_and(|control| control.fired) {
        Some(Undecided::Control)
    } else if dropped > MOST_DROPPED * (kept + dropped) {
        Some(Undecided::Noise)
    } else {
        None
    }
}
