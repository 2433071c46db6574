//! Visits that begin contended. On the scripted clock the empty loop takes no time at all: from 0 cycles on
//! reports contention all the time, from 1 on none.

use tourbillon_clock::Script;
use tourbillon_engine::Iterated;
use tourbillon_record::{Plan, Visit};

use crate::stage::{about, plan, script, visited};

/// A visit of a body of so many ticks.
fn of_body(ticks: u64, contended_from: Option<u64>, script: &Script) -> Visit {
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(ticks), |()| Ok(()));
    let asked = Plan {
        contended_from,
        ..plan("case", 1)
    };
    visited(&mut arm, about(), &asked, script)
}

#[test]
fn a_visit_that_begins_contended_ends_without_a_batch() {
    let script = script();
    // A body that is longer than a batch, too.
    for ticks in [100, 400_000] {
        let visit = of_body(ticks, Some(0), &script);
        assert_eq!(visit.batches.kind, []);
        assert_eq!((visit.warmup.batches, visit.apart.is_some()), (0, false));
        // What shows it is in the record.
        assert_eq!(visit.empty.short_ticks.len(), 3);
        let chain = visit.chain.expect("the scripted clock has a core");
        assert_eq!(chain.at, [0; 3]);
    }
}

#[test]
fn others_go_on() {
    let script = script();
    let all = of_body(100, None, &script).batches.kind.len();
    let visit = of_body(100, Some(1), &script);
    assert_eq!(visit.batches.kind.len(), all);
    assert!(visit.apart.is_some() && visit.warmup.batches > 0);
    // A fifth of 6 ms may be warmed up; a longer body is not judged.
    assert!(!of_body(1_300_000, Some(0), &script).batches.kind.is_empty());
}
