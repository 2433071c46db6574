//! Ops that wait for each other, on a clock whose every reading is known.

use tourbillon_engine::{Arm, Chained, Iterated, Kept, Prepared, Restored, Streamed};
use tourbillon_record::{Apart, Visit};

use crate::stage::{FIXED, about, plan, script, visited};

/// What a visit read of a body that takes so many ticks.
fn read(arm: &mut dyn Arm, script: &tourbillon_clock::Script) -> (Visit, Option<Apart>) {
    let visit = visited(arm, about(), &plan("case", 1), script);
    let apart = visit.apart.clone();
    (visit, apart)
}

#[test]
fn a_short_body_is_read_with_a_fence_and_without() {
    let script = script();
    let advance = script.clone();
    let body = move || advance.advance(100);
    let (_, apart) = read(&mut Iterated::new(body, |()| Ok(())), &script);
    let apart = apart.expect("readings");
    assert!((8..=512).contains(&apart.ops), "{}", apart.ops);
    // On this clock a fence takes no time, and nothing overlaps.
    for (ticks, ops) in [
        (&apart.short_ticks, apart.ops),
        (&apart.free_short_ticks, apart.ops),
        (&apart.long_ticks, 2 * apart.ops),
        (&apart.free_long_ticks, 2 * apart.ops),
    ] {
        assert_eq!(*ticks, [100 * ops + FIXED; 3]);
    }
    for ticks in [&apart.empty_short_ticks, &apart.empty_long_ticks] {
        assert_eq!(*ticks, [FIXED; 3]);
    }
}

#[test]
fn whatever_gets_its_input_or_leaves_an_output_is_read_too() {
    let script = script();
    let advance = || {
        let script = script.clone();
        move || script.advance(100)
    };
    let (kept, borrowing, consuming, restored) = (advance(), advance(), advance(), advance());
    let mut kept = Kept::outputs(
        move || {
            kept();
            "output".to_owned()
        },
        |_| Ok(()),
    );
    let mut borrowing = Prepared::borrowing(|| 7_u64, move |_| borrowing(), false);
    let mut consuming = Prepared::consuming(
        || "input".to_owned(),
        move |input| {
            consuming();
            input
        },
        false,
    );
    let mut restored = Restored::new(|| 7_u64, |_| (), move |_| restored(), false);
    let items = [1_u64, 2, 3];
    let streamed = advance();
    let mut streamed = Streamed::new(&items, move |_| streamed(), false).expect("items");
    let arms: [&mut dyn Arm; 5] = [
        &mut kept,
        &mut borrowing,
        &mut consuming,
        &mut restored,
        &mut streamed,
    ];
    for arm in arms {
        let (visit, apart) = read(arm, &script);
        let apart = apart.expect("readings");
        assert!(apart.ops <= visit.length.items);
        assert!(
            apart
                .long_ticks
                .iter()
                .all(|&t| t == 200 * apart.ops + FIXED)
        );
        assert_eq!(apart.long_ticks, apart.free_long_ticks);
    }
}

#[test]
fn long_bodies_and_those_that_wait_anyway_are_not() {
    let script = script();
    let (advance, chained) = (script.clone(), script.clone());
    let mut long = Iterated::new(move || advance.advance(1_000_000), |()| Ok(()));
    let mut chained = Chained::new(
        move |x: u64| {
            chained.advance(100);
            x
        },
        1,
    );
    let arms: [&mut dyn Arm; 2] = [&mut long, &mut chained];
    for arm in arms {
        let (_, apart) = read(arm, &script);
        assert_eq!(apart, None);
    }
}
