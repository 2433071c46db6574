//! Ops that wait for each other, on a clock whose every reading is known.

use tourbillon_engine::{Arm, Chained, Iterated, Kept, Prepared, Restored, Streamed};
use tourbillon_record::{Fenced, LaunchSamples};

use crate::stage::{FIXED, about, launched, plan, script};

/// What a launch read of a body that takes so many ticks.
fn read(arm: &mut dyn Arm, script: &tourbillon_clock::Script) -> (LaunchSamples, Option<Fenced>) {
    let launch = launched(arm, about(), &plan("case", 1), script);
    let fenced = launch.fenced.clone();
    (launch, fenced)
}

#[test]
fn a_short_body_is_read_with_a_fence_and_without() {
    let script = script();
    let advance = script.clone();
    let body = move || advance.advance(100);
    let (_, fenced) = read(&mut Iterated::new(body, |()| Ok(())), &script);
    let fenced = fenced.expect("readings");
    assert!((8..=512).contains(&fenced.ops), "{}", fenced.ops);
    // On this clock a fence takes no time, and nothing overlaps.
    for (ticks, ops) in [
        (&fenced.short_ticks, fenced.ops),
        (&fenced.free_short_ticks, fenced.ops),
        (&fenced.long_ticks, 2 * fenced.ops),
        (&fenced.free_long_ticks, 2 * fenced.ops),
    ] {
        assert_eq!(*ticks, [100 * ops + FIXED; 3]);
    }
    for ticks in [&fenced.empty_short_ticks, &fenced.empty_long_ticks] {
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
        let (launch, fenced) = read(arm, &script);
        let fenced = fenced.expect("readings");
        assert!(fenced.ops <= launch.batch_shape.items);
        assert!(
            fenced
                .long_ticks
                .iter()
                .all(|&t| t == 200 * fenced.ops + FIXED)
        );
        assert_eq!(fenced.long_ticks, fenced.free_long_ticks);
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
        let (_, fenced) = read(arm, &script);
        assert_eq!(fenced, None);
    }
}
