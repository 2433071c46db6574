//! What each kind of arm calls, inside the timed region and outside of it.

use std::cell::Cell;
use std::rc::Rc;

use tourbillon_engine::{
    About, Chained, Control, Controlled, Counted, Iterated, Kept, Prepared, Restored,
};
use tourbillon_record::BatchShape;

use crate::stage::{FIXED, about, launched, of_kind, plan, script};

#[test]
fn an_isolated_case_is_its_first_call() {
    let script = script();
    let advance = script.clone();
    let calls = Cell::new(0);
    let body = || {
        calls.set(calls.get() + 1);
        advance.advance(700);
    };
    let isolated = About {
        isolated: true,
        ..about()
    };
    let launch = launched(
        &mut Iterated::new(body, |()| Ok(())),
        isolated,
        &plan("case", 1),
        &script,
    );
    assert_eq!(calls.get(), 1);
    assert_eq!(of_kind(&launch, 1), [720]);
    assert_eq!(launch.terminal, "isolated.iter");
    assert!(!launch.empty.short_ticks.is_empty());
}

#[test]
fn pauses_leave_their_residue_only() {
    let script = script();
    let advance = script.clone();
    let body = |count: u64, control: &mut Control<'_>| {
        for _ in 0..count {
            control.pause();
            advance.advance(10_000);
            control.resume();
            advance.advance(100);
        }
    };
    let mut arm = Controlled::new(body);
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    let pauses = launch.pauses.clone().expect("the body can pause");
    let residue = pauses.residual_ticks[0];
    assert!(pauses.residual_ticks.iter().all(|&ticks| ticks == residue));
    let per_pair = residue / pauses.pairs;
    for (index, &ticks) in launch.batches.ticks.iter().enumerate() {
        let count = launch.batches.pauses[index];
        assert_eq!(
            count,
            u64::from(launch.batches.kind[index]) * launch.batch_shape.items
        );
        assert_eq!(ticks, count * (100 + per_pair) + FIXED, "sample {index}");
    }
}

#[test]
fn a_fixed_count_is_handed_to_every_call() {
    let script = script();
    let advance = script.clone();
    let body = |count: u64, control: &mut Control<'_>| {
        assert_eq!(count, 1_000);
        control.pause();
        advance.advance(5_000);
        control.resume();
        advance.advance(count);
    };
    let mut arm = Controlled::fixed(body, 1_000);
    let fixed = About {
        ops_per_iteration: 1_000,
        ..about()
    };
    let launch = launched(&mut arm, fixed, &plan("case", 1), &script);
    assert_eq!(launch.ops_per_iteration, 1_000);
    let long = of_kind(&launch, 2);
    let short = of_kind(&launch, 1);
    let per_call = (long[0] - short[0]) / launch.batch_shape.items;
    assert!((1_000..1_050).contains(&per_call), "{per_call}");
}

#[test]
fn a_counted_body_gets_the_whole_batch_in_one_call() {
    let script = script();
    let advance = script.clone();
    let counts = Rc::new(Cell::new(0));
    let seen = Rc::clone(&counts);
    let mut arm = Counted::new(move |count: u64| {
        seen.set(count);
        advance.advance(50 * count);
    });
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    assert!(
        counts.get() == launch.batch_shape.items || counts.get() == 2 * launch.batch_shape.items
    );
    assert!(of_kind(&launch, 0).iter().all(|&ticks| ticks == FIXED));
    assert!(
        of_kind(&launch, 2)
            .iter()
            .all(|&ticks| ticks == 100 * launch.batch_shape.items + FIXED)
    );
}

#[test]
fn a_chain_starts_every_batch_from_its_first_value() {
    let script = script();
    let advance = script.clone();
    let highest = Cell::new(0u64);
    let body = |x: u64| {
        advance.advance(100);
        highest.set(highest.get().max(x + 1));
        x + 1
    };
    let launch = launched(
        &mut Chained::new(body, 0),
        about(),
        &plan("case", 1),
        &script,
    );
    let longest = launch
        .pilot
        .items
        .iter()
        .copied()
        .max()
        .unwrap_or(0)
        .max(2 * launch.batch_shape.items);
    assert_eq!(highest.get(), longest);
}

#[test]
fn inputs_are_prepared_before_the_clock_starts_and_dropped_after_it_stops() {
    struct Input(tourbillon_clock::Script, u64);
    impl Drop for Input {
        fn drop(&mut self) {
            self.0.advance(7_000);
        }
    }
    let script = script();
    let (making, working) = (script.clone(), script.clone());
    let made = Rc::new(Cell::new(0u64));
    let count = Rc::clone(&made);
    let make = move || {
        making.advance(3_000);
        count.set(count.get() + 1);
        Input(making.clone(), 100)
    };
    let mut arm = Prepared::borrowing(make, |input: &mut Input| working.advance(input.1), false);
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    let BatchShape {
        windows,
        items,
        slope,
        ..
    } = launch.batch_shape;
    assert!(slope);
    assert!(
        of_kind(&launch, 1)
            .iter()
            .all(|&ticks| ticks == windows * (items * 100 + FIXED))
    );
    assert!(
        of_kind(&launch, 2)
            .iter()
            .all(|&ticks| ticks == windows * (2 * items * 100 + FIXED))
    );
    assert!(
        of_kind(&launch, 0)
            .iter()
            .all(|&ticks| ticks == windows * FIXED)
    );
    let sampled: u64 = launch
        .batches
        .kind
        .iter()
        .map(|&k| u64::from(k) * windows * items)
        .sum();
    assert!(made.get() > sampled, "every call had an input of its own");
}

#[test]
fn a_window_has_a_number_of_items_that_does_not_follow_the_time_of_a_call() {
    let of_calls = |nanos| {
        let script = script();
        let working = script.clone();
        let mut arm = Prepared::borrowing(|| (), |(): &mut ()| working.advance(nanos), false);
        let launch = launched(&mut arm, about(), &plan("case", 1), &script);
        launch.batch_shape.items
    };
    for nanos in [1, 10, 26, 38, 500, 700] {
        assert_eq!(of_calls(nanos), 32, "{nanos} ns");
    }
    // Until a call is long enough to be alone.
    for nanos in [1_500, 20_000] {
        assert_eq!(of_calls(nanos), 1, "{nanos} ns");
    }
}

#[test]
fn a_window_stays_within_its_bytes() {
    let script = script();
    let working = script.clone();
    let make = || [0u8; 16_384];
    let mut arm = Prepared::borrowing(make, |_: &mut [u8; 16_384]| working.advance(1), false);
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    assert_eq!(launch.batch_shape.items, 8);
}

#[test]
fn consumed_inputs_are_dropped_once() {
    let script = script();
    let working = script.clone();
    let alive = Rc::new(());
    let make = || Rc::clone(&alive);
    let body = |input: Rc<()>| {
        working.advance(1_000);
        input
    };
    let mut arm = Prepared::consuming(make, body, false);
    launched(&mut arm, about(), &plan("case", 1), &script);
    assert_eq!(Rc::strong_count(&alive), 1);
}

#[test]
fn kept_outputs_are_dropped_once_and_outside() {
    struct Output(tourbillon_clock::Script, Rc<Cell<i64>>);
    impl Drop for Output {
        fn drop(&mut self) {
            self.0.advance(9_000);
            self.1.set(self.1.get() - 1);
        }
    }
    let script = script();
    let working = script.clone();
    let alive = Rc::new(Cell::new(0));
    let body = || {
        working.advance(200);
        alive.set(alive.get() + 1);
        Output(working.clone(), Rc::clone(&alive))
    };
    let launch = launched(
        &mut Kept::outputs(body, |_| Ok(())),
        about(),
        &plan("case", 1),
        &script,
    );
    let BatchShape { windows, items, .. } = launch.batch_shape;
    assert!(
        of_kind(&launch, 1)
            .iter()
            .all(|&ticks| ticks == windows * (items * 200 + FIXED))
    );
    assert_eq!(alive.get(), 0);
}

#[test]
fn a_state_is_brought_back_before_every_call() {
    let script = script();
    let (resetting, working) = (script.clone(), script.clone());
    let made = Cell::new(0);
    let make = || {
        made.set(made.get() + 1);
        0u32
    };
    let reset = |state: &mut u32| {
        resetting.advance(2_000);
        *state = 5;
    };
    let body = |state: &mut u32| {
        assert_eq!(*state, 5, "not brought back");
        *state += 1;
        working.advance(500);
    };
    let mut arm = Restored::new(make, reset, body, false);
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    let BatchShape { windows, items, .. } = launch.batch_shape;
    assert!(
        of_kind(&launch, 2)
            .iter()
            .all(|&ticks| ticks == windows * (2 * items * 500 + FIXED))
    );
    assert_eq!(made.get(), 2 * items, "states are made once each");
}

#[test]
fn preparing_for_long_keeps_the_windows_small() {
    let script = script();
    let (making, working) = (script.clone(), script.clone());
    let make = move || making.advance(400_000);
    let mut arm = Prepared::borrowing(make, |(): &mut ()| working.advance(10), false);
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    assert!(launch.batch_shape.items <= 2, "{:?}", launch.batch_shape);
}
