//! A comparison in one process, of cases that take turns.

use tourbillon_analysis::{Criteria, disturbed, is_look};
use tourbillon_clock::Clock;
use tourbillon_engine::{Next, Suite};
use tourbillon_record::{Against, Frame, Plan, Rounds};

/// Makes the comparison of a plan.
pub(super) fn measure(
    suite: &dyn Suite,
    plan: &Plan,
    against: &Against,
    clock: &Clock,
    send: &mut dyn FnMut(Frame),
) {
    let criteria = Criteria {
        margin: against.margin,
        error: against.error,
        limit: None,
    };
    // One process of many: it decides nothing.
    let mut next = |rounds: &Rounds| match (disturbed(rounds, criteria), is_look(rounds)) {
        (Some(true), _) => Next::LongerTurns { if_not: true },
        (Some(false), true) => Next::Enough,
        (None, _) | (Some(false), false) => Next::More,
    };
    tourbillon_engine::compare(suite, plan, clock, &mut next, send);
}
