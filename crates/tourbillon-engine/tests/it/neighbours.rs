//! Visits that end before their time. On the scripted clock the empty loop takes no time at all: 0 cycles tell of
//! a neighbour all the time, 1 of none.

use tourbillon_clock::Script;
use tourbillon_engine::Iterated;
use tourbillon_record::{Plan, Visit};

use crate::stage::{about, plan, script, visited};

/// Rounds of a visit of a body of so many ticks, and the visit.
fn of_body(ticks: u64, asked: &Plan, script: &Script) -> (usize, Visit) {
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(ticks), |()| Ok(()));
    let visit = visited(&mut arm, about(), asked, script);
    let per_round = if visit.length.slope { 3 } else { 2 };
    (visit.batches.kind.len() / per_round, visit)
}

fn asked(neighbour_from: Option<u64>) -> Plan {
    Plan {
        neighbour_from,
        ..plan("case", 1)
    }
}

#[test]
fn a_visit_that_begins_beside_a_neighbour_ends_after_a_round() {
    let script = script();
    let (rounds, visit) = of_body(100, &asked(Some(0)), &script);
    assert_eq!(rounds, 1);
    assert_eq!(visit.warmup.batches, 0);
    assert_eq!(visit.empty.short_ticks.len(), 1);
    let chain = visit.chain.expect("the scripted clock has a core");
    assert_eq!(chain.at[0], 0);
    assert_eq!(visit.apart, None);
}

#[test]
fn without_one_it_goes_on() {
    let script = script();
    let (all, visit) = of_body(100, &asked(None), &script);
    assert!(all > 20 && visit.apart.is_some(), "{all}");
    let (rounds, visit) = of_body(100, &asked(Some(1)), &script);
    assert_eq!(rounds, all);
    assert!(visit.apart.is_some() && visit.warmup.batches > 0);
}

#[test]
fn iterations_that_were_asked_for_are_measured_all_the_same() {
    let script = script();
    let wish = |min_iterations| Plan {
        min_iterations,
        ..asked(Some(0))
    };
    let (rounds, visit) = of_body(100, &wish(1), &script);
    // A round has the length three times.
    let per_round = 3 * visit.length.items * visit.length.windows;
    assert_eq!(rounds, 1);
    assert_eq!(of_body(100, &wish(per_round), &script).0, 1);
    assert!(of_body(100, &wish(per_round + 1), &script).0 > 20);
}

#[test]
fn a_body_that_is_longer_than_a_batch_ends_as_well_unless_it_is_too_long_to_warm_up() {
    let script = script();
    let (rounds, visit) = of_body(400_000, &asked(Some(0)), &script);
    assert!(!visit.length.slope);
    assert_eq!(rounds, 1);
    assert!(of_body(400_000, &asked(Some(1)), &script).0 > 1);
    // A fifth of 6 ms may be warmed up.
    let (rounds, _) = of_body(1_200_000, &asked(Some(0)), &script);
    assert!(rounds > 1, "{rounds}");
}
