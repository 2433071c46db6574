//! A launch from the first call to the last sample, on a clock whose every reading is known.

use std::cell::Cell;
use std::rc::Rc;

use tourbillon_clock::Clock;
use tourbillon_engine::{
    About, CaseOptions, Chained, Control, Controlled, Counted, Drive, Iterated, Kept, Prepared,
    Restored, Suite, System, Trouble, Visitor, each, run_launch, try_once,
};
use tourbillon_record::{BatchShape, Case, FaultKind, Frame, Plan, SystemCounts};

use crate::stage::{Cases, FIXED, about, frames, launched, of_kind, plan, script};

#[test]
fn a_constant_body_reads_its_cost_and_the_fixed_cost() {
    let script = script();
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    let BatchShape {
        windows,
        items,
        unroll,
        slope,
    } = launch.batch_shape;
    assert_eq!((windows, unroll, slope), (1, 8, true));
    // Two thirds of 100 microseconds at 100 ns an op, in whole turns of eight.
    assert_eq!(items, 664);
    assert!(
        of_kind(&launch, 1)
            .iter()
            .all(|&ticks| ticks == items * 100 + FIXED),
        "{launch:?}"
    );
    assert!(
        of_kind(&launch, 2)
            .iter()
            .all(|&ticks| ticks == 2 * items * 100 + FIXED),
        "{launch:?}"
    );
    assert!(
        of_kind(&launch, 0).iter().all(|&ticks| ticks == FIXED),
        "{launch:?}"
    );
    assert_eq!(launch.first_call_ticks, 120);
    assert!(launch.pilot_launch && launch.warmup.settled);
}

#[test]
fn the_loop_has_eight_copies_wherever_eight_calls_fit_into_a_batch() {
    let length = |ticks: u64, hit: u64| {
        let script = script().interruption(200, hit);
        let advance = script.clone();
        let mut arm = Iterated::new(|| advance.advance(ticks), |()| Ok(()));
        launched(&mut arm, about(), &plan("case", 1), &script).batch_shape
    };
    // A short batch has 66 666 ticks.
    for ticks in [1, 3, 7, 8, 9, 100, 1_999, 2_001, 8_000] {
        for hit in [0, 30_000, 1_000_000] {
            let length = length(ticks, hit);
            assert_eq!((length.unroll, length.items % 8), (8, 0), "{ticks} ticks");
        }
    }
    for ticks in [8_400, 30_000] {
        let length = length(ticks, 0);
        assert!(length.slope && length.unroll == 1, "{ticks} ticks");
        assert_eq!(length.items, 66_666 / ticks);
    }
}

#[test]
fn a_body_longer_than_a_batch_is_called_once_per_batch() {
    let script = script();
    let advance = script.clone();
    let calls = Cell::new(0);
    let body = || {
        calls.set(calls.get() + 1);
        advance.advance(3_000_000_000);
    };
    let launch = launched(
        &mut Iterated::new(body, |()| Ok(())),
        about(),
        &plan("case", 1),
        &script,
    );
    assert_eq!(
        launch.batch_shape,
        BatchShape {
            windows: 1,
            items: 1,
            unroll: 1,
            slope: false
        }
    );
    assert_eq!(of_kind(&launch, 1), [3_000_000_020]);
    // The first call and one sample: a long body is not run for the pilot or to warm up.
    assert_eq!(calls.get(), 2);
}

#[test]
fn one_interruption_does_not_end_the_pilot_early() {
    let steady = script();
    let hit = script().interruption(400, 1_000_000);
    let items = |script: &tourbillon_clock::Script| {
        let advance = script.clone();
        let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
        launched(&mut arm, about(), &plan("case", 1), script)
            .batch_shape
            .items
    };
    assert_eq!(items(&hit), items(&steady));
}

#[test]
fn the_length_of_the_pilot_launch_is_used_and_found_again_when_it_is_off() {
    let script = script();
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
    let mut later = plan("case", 2);
    later.batch_shape = Some(BatchShape {
        windows: 1,
        items: 500,
        unroll: 1,
        slope: true,
    });
    let launch = launched(&mut arm, about(), &later, &script);
    assert_eq!(launch.batch_shape.items, 500);
    assert_eq!(launch.pilot.items, [500]);
    assert!(!launch.pilot_launch);
    later.batch_shape = Some(BatchShape {
        windows: 1,
        items: 50_000,
        unroll: 1,
        slope: true,
    });
    let launch = launched(&mut arm, about(), &later, &script);
    assert_eq!(launch.batch_shape.items, 664);
}

#[test]
fn the_order_is_random_and_follows_the_seed() {
    let order = |seed| {
        let script = script();
        let advance = script.clone();
        let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
        launched(&mut arm, about(), &plan("case", seed), &script)
            .batches
            .kind
    };
    assert_eq!(order(1), order(1));
    assert_ne!(order(1), order(2));
    let firsts: std::collections::BTreeSet<u8> = order(1).chunks(3).map(|round| round[0]).collect();
    assert_eq!(firsts.len(), 3, "every length comes first now and then");
}

#[test]
fn the_budget_bounds_the_samples() {
    let script = script();
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    let spent: u64 = launch.batches.ticks.iter().sum();
    assert!((5_500_000..6_500_000).contains(&spent), "{spent}");
}

#[test]
fn iterations_asked_for_are_made() {
    let script = script();
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
    let mut more = plan("case", 1);
    more.min_iterations = 500_000;
    let launch = launched(&mut arm, about(), &more, &script);
    let iterations: u64 = launch
        .batches
        .kind
        .iter()
        .map(|&kind| u64::from(kind) * launch.batch_shape.items)
        .sum();
    assert!(iterations >= 500_000, "{iterations}");
}

#[test]
fn a_first_call_is_apart_and_not_in_the_samples() {
    let script = script();
    let advance = script.clone();
    let first = Cell::new(true);
    let body = || advance.advance(if first.replace(false) { 50_000 } else { 100 });
    let launch = launched(
        &mut Iterated::new(body, |()| Ok(())),
        about(),
        &plan("case", 1),
        &script,
    );
    assert_eq!(launch.first_call_ticks, 50_020);
    assert_eq!(launch.batch_shape.items, 664);
    assert!(of_kind(&launch, 1).iter().all(|&ticks| ticks == 66_420));
}

#[test]
fn warming_up_goes_on_until_two_windows_agree() {
    let script = script();
    let advance = script.clone();
    let calls = Cell::new(0u64);
    // Three times as slow at first, then faster with every call.
    let body = || {
        calls.set(calls.get() + 1);
        advance.advance(100 + 200u64.saturating_sub(calls.get() / 40));
    };
    let launch = launched(
        &mut Iterated::new(body, |()| Ok(())),
        about(),
        &plan("case", 1),
        &script,
    );
    assert!(launch.warmup.batches > 3, "{:?}", launch.warmup);
    let last = *of_kind(&launch, 1).last().expect("samples");
    assert_eq!(last, launch.batch_shape.items * 100 + FIXED);
}

#[test]
fn the_reference_chain_stands_beside_the_batches() {
    let script = script();
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    let chain = launch.chain.expect("the scripted clock has a core");
    let rounds = launch.batches.kind.len() as u64 / 3;
    assert_eq!(chain.at.len() as u64, rounds + 1);
    assert_eq!(chain.at.last(), Some(&(rounds * 3)));
    for (short, long) in chain.short_ticks.iter().zip(&chain.long_ticks) {
        assert_eq!(long - short, 4_050, "16 200 cycles of a quarter tick");
    }
}

#[test]
fn the_same_case_is_found_and_measured_once() {
    let script = script();
    let advance = script.clone();
    let suite = Cases::default()
        .with("a", |_| unreachable!("not asked for"))
        .with("b", move |driver| {
            driver.drive(
                &mut Iterated::new(|| advance.advance(100), |()| Ok(())),
                about(),
            );
            Ok(())
        });
    let frames = frames(&suite, &plan("b", 1), &script);
    let [
        Frame::Progress {
            first_call_ns: 120,
            timeout_ns: None,
        },
        Frame::Launch(launch),
    ] = frames.as_slice()
    else {
        panic!("{frames:?}");
    };
    assert_eq!(launch.case, "b");
    assert_eq!(launch.terminal, "iter");
}

#[test]
fn the_timeout_of_a_case_is_sent_before_its_body_is_called() {
    /// One case with a timeout of a second, which is not found where another is asked for.
    struct Patient;
    impl Suite for Patient {
        fn visit(&self, visitor: &mut dyn Visitor) {
            let case = Case {
                id: "patient".to_owned(),
                ..Case::default()
            };
            let options = CaseOptions {
                timeout_ns: Some(1_000_000_000),
                ..CaseOptions::default()
            };
            let mut body = |_: &mut dyn Drive| Err("in the set-up".to_owned());
            let _ = visitor.case(&case, &options, &mut body);
        }
    }
    let script = script();
    let sent = frames(&Patient, &plan("patient", 1), &script);
    let [
        Frame::Progress {
            first_call_ns: 0,
            timeout_ns: Some(1_000_000_000),
        },
        Frame::Fault(_),
    ] = sent.as_slice()
    else {
        panic!("{sent:?}");
    };
    let sent = frames(&Patient, &plan("another", 1), &script);
    assert!(matches!(sent.as_slice(), [Frame::Fault(_)]), "{sent:?}");
}

#[test]
fn what_goes_wrong_is_a_fault_of_its_kind() {
    let script = script();
    let failing = |()| Err::<(), _>("the config is missing".to_owned());
    let suite = Cases::default()
        .with("none", |_| Ok(()))
        .with("error", |_| Err("no such file".to_owned()))
        .with("first", move |driver| {
            let check = |_: &Result<(), String>| Err("bad output".to_owned());
            driver.drive(&mut Iterated::new(move || failing(()), check), about());
            Ok(())
        });
    let fault = |id: &str| match frames(&suite, &plan(id, 1), &script).pop() {
        Some(Frame::Fault(fault)) => (fault.kind, fault.message),
        other => panic!("{other:?}"),
    };
    assert_eq!(fault("none"), (FaultKind::NoTerminal, String::new()));
    assert_eq!(
        fault("error"),
        (FaultKind::Error, "no such file".to_owned())
    );
    assert_eq!(fault("first"), (FaultKind::Error, "bad output".to_owned()));
    assert_eq!(fault("nowhere"), (FaultKind::UnknownCase, String::new()));
}

#[test]
fn signs_of_life_come_between_long_samples() {
    let script = script();
    let advance = script.clone();
    let suite = Cases::default().with("slow", move |driver| {
        driver.drive(
            &mut Iterated::new(|| advance.advance(400_000_000), |()| Ok(())),
            about(),
        );
        Ok(())
    });
    let mut longer = plan("slow", 1);
    longer.budget_ns = 2_000_000_000;
    let frames = frames(&suite, &longer, &script);
    let signs = frames
        .iter()
        .filter(|frame| matches!(frame, Frame::Progress { .. }))
        .count();
    assert!(signs >= 4, "{signs}");
}

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
fn a_window_stays_within_its_bounds() {
    let script = script();
    let working = script.clone();
    let make = || [0u8; 1024];
    let mut arm = Prepared::borrowing(make, |_: &mut [u8; 1024]| working.advance(1), false);
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    assert!(
        launch.batch_shape.items * 2 <= 256,
        "{:?}",
        launch.batch_shape
    );
    let tiny = Prepared::borrowing(|| (), |(): &mut ()| working.advance(1), false);
    let launch = launched(&mut { tiny }, about(), &plan("case", 1), &script);
    assert!(
        launch.batch_shape.items * 2 <= 1024,
        "{:?}",
        launch.batch_shape
    );
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
        working.advance(2_500);
    };
    let mut arm = Restored::new(make, reset, body, false);
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    let BatchShape { windows, items, .. } = launch.batch_shape;
    assert!(
        of_kind(&launch, 2)
            .iter()
            .all(|&ticks| ticks == windows * (2 * items * 2_500 + FIXED))
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

#[test]
fn cases_are_listed_and_tried_without_being_measured() {
    let script = script();
    let clock = Clock::scripted(&script);
    let calls = Rc::new(Cell::new(0));
    let count = Rc::clone(&calls);
    let suite = Cases::default()
        .with("fine", move |driver| {
            let body = || count.set(count.get() + 1);
            driver.drive(&mut Iterated::new(body, |()| Ok(())), about());
            Ok(())
        })
        .with("none", |_| Ok(()))
        .with("error", |_: &mut dyn Drive| Err("broken".to_owned()));
    let mut ids = Vec::new();
    each(&suite, &mut |case, _| ids.push(case.id.clone()));
    assert_eq!(ids, ["fine", "none", "error"]);
    assert_eq!(calls.get(), 0);
    assert_eq!(try_once(&suite, "fine", &clock), Ok(()));
    assert_eq!(calls.get(), 1);
    assert_eq!(try_once(&suite, "none", &clock), Err(Trouble::NoTerminal));
    assert_eq!(
        try_once(&suite, "error", &clock),
        Err(Trouble::Failed("broken".to_owned()))
    );
    assert_eq!(
        try_once(&suite, "nowhere", &clock),
        Err(Trouble::UnknownCase)
    );
}

/// A system that counts three new pages for each call of a body.
struct Counting<'b> {
    bodies: &'b Cell<u64>,
    asked: Cell<u64>,
    /// What it tells of each call that it saw.
    touched: Option<u64>,
}

impl System for Counting<'_> {
    fn counts(&self) -> SystemCounts {
        self.asked.set(self.asked.get() + 1);
        SystemCounts {
            page_faults: Some(3 * self.bodies.get()),
            written_bytes: None,
            waited_ns: None,
        }
    }

    fn forget_touched(&self) -> Option<u64> {
        self.touched.map(|_| self.bodies.get())
    }

    fn touched_bytes(&self, forgotten: u64) -> Option<u64> {
        Some(self.touched? * (self.bodies.get() - forgotten))
    }
}

#[test]
fn the_system_is_asked_before_the_first_sample_and_after_the_last() {
    let script = script();
    let bodies = Cell::new(0_u64);
    let suite = Cases::default().with("case", |driver| {
        let mut arm = Iterated::new(
            || {
                bodies.set(bodies.get() + 1);
                script.advance(1_000);
            },
            |()| Ok(()),
        );
        driver.drive(&mut arm, about());
        Ok(())
    });
    let system = Counting {
        bodies: &bodies,
        asked: Cell::new(0),
        touched: None,
    };
    let clock = Clock::scripted(&script);
    let mut made = None;
    run_launch(&suite, &plan("case", 1), &clock, &system, &mut |frame| {
        if let Frame::Launch(launch) = frame {
            made = Some(launch);
        }
    });
    let launch = made.unwrap();
    let calls: u64 = launch
        .batches
        .kind
        .iter()
        .map(|&kind| u64::from(kind) * launch.batch_shape.items)
        .sum();
    assert_eq!(system.asked.get(), 2);
    assert_eq!(launch.counted.page_faults, Some(3 * calls));
    assert_eq!(launch.counted.written_bytes, None);
}

/// What a launch tells of the memory that batches touch, each call of the body 4 KiB; and how often the body
/// was called behind the samples.
fn touched(plan: &Plan, ticks: u64) -> (Option<u64>, u64) {
    let script = script();
    let bodies = Cell::new(0_u64);
    let system = Counting {
        bodies: &bodies,
        asked: Cell::new(0),
        touched: Some(4096),
    };
    let suite = Cases::default().with("case", |driver| {
        let mut arm = Iterated::new(
            || {
                bodies.set(bodies.get() + 1);
                script.advance(ticks);
            },
            |()| Ok(()),
        );
        driver.drive(&mut arm, about());
        Ok(())
    });
    let mut made = None;
    let clock = Clock::scripted(&script);
    run_launch(&suite, plan, &clock, &system, &mut |frame| {
        if let Frame::Launch(launch) = frame {
            made = Some(launch);
        }
    });
    let touched = made.expect("a launch").touched_bytes;
    (touched, touched.unwrap_or(0) / 4096)
}

#[test]
fn only_the_pilot_launch_reads_what_memory_batches_touch() {
    let pilot = plan("case", 1);
    let (bytes, calls) = touched(&pilot, 1_000);
    // Of about a microsecond each, for twelve batches' time.
    let batches = pilot.batch_ns / 1_000 * 2 / 3 * 12;
    assert!(
        bytes.is_some() && calls.abs_diff(batches) <= batches / 8,
        "{calls}"
    );
    let length = BatchShape {
        windows: 1,
        items: 64,
        unroll: 1,
        slope: true,
    };
    let later = Plan {
        batch_shape: Some(length),
        ..pilot
    };
    assert_eq!(touched(&later, 1_000), (None, 0));
}

#[test]
fn a_long_body_is_called_once_more_and_a_very_long_one_is_not() {
    let plan = plan("case", 1);
    assert_eq!(touched(&plan, plan.budget_ns), (Some(4096), 1));
    assert_eq!(touched(&plan, 17 * plan.budget_ns), (None, 0));
}
