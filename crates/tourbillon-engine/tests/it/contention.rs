//! Launches that begin contended. On the scripted clock the empty loop takes no time at all: from 0 cycles on
//! reports contention all the time, from 1 on none.

use tourbillon_clock::Script;
use tourbillon_engine::Iterated;
use tourbillon_record::{LaunchSamples, Plan};

use crate::stage::{about, launched, plan, script};

/// A launch of a body of so many ticks.
fn of_body(ticks: u64, contended_from: Option<u64>, script: &Script) -> LaunchSamples {
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(ticks), |()| Ok(()));
    let asked = Plan {
        contended_from,
        ..plan("case", 1)
    };
    launched(&mut arm, about(), &asked, script)
}

#[test]
fn a_launch_that_begins_contended_ends_without_a_batch() {
    let script = script();
    // A body that is longer than a batch, too.
    for ticks in [100, 400_000] {
        let launch = of_body(ticks, Some(0), &script);
        assert_eq!(launch.batches.kind, []);
        assert_eq!((launch.warmup.batches, launch.fenced.is_some()), (0, false));
        // What shows it is in the record.
        assert_eq!(launch.empty.short_ticks.len(), 3);
        let chain = launch.chain.expect("the scripted clock has a core");
        assert_eq!(chain.at, [0; 3]);
    }
}

#[test]
fn others_go_on() {
    let script = script();
    let all = of_body(100, None, &script).batches.kind.len();
    let launch = of_body(100, Some(1), &script);
    assert_eq!(launch.batches.kind.len(), all);
    assert!(launch.fenced.is_some() && launch.warmup.batches > 0);
    // A fifth of 6 ms may be warmed up; a longer body is not judged.
    assert!(!of_body(1_300_000, Some(0), &script).batches.kind.is_empty());
}
