//! A launch from the first call to the last sample, on a clock whose every reading is known.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use tourbillon_clock::Clock;
use tourbillon_engine::{
    Drive, Iterated, Kept, SelfTimed, Suite, Trouble, Visitor, each, try_once,
};
use tourbillon_record::{BatchShape, Case, CaseOptions, FaultKind, Frame};

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

/// An output that counts those that are alive.
struct Alive(Rc<Cell<u64>>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

#[test]
fn no_sample_is_the_first_that_keeps_so_much_alive() {
    let script = script();
    let advance = script.clone();
    let alive = Rc::new(Cell::new(0));
    let most = Cell::new(0);
    let body = || {
        alive.set(alive.get() + 1);
        // Memory is touched for the first time.
        let is_new = alive.get() > most.get();
        most.set(most.get().max(alive.get()));
        advance.advance(if is_new { 600 } else { 500 });
        Alive(Rc::clone(&alive))
    };
    let launch = launched(
        &mut Kept::outputs(body, |_alive| Ok(())),
        about(),
        &plan("case", 1),
        &script,
    );
    let long = of_kind(&launch, 2);
    assert!(long.len() > 3, "{launch:?}");
    assert!(
        long.iter()
            .all(|ticks| ticks == long.last().expect("samples")),
        "{long:?}"
    );
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
            // With a reading of the clock after it.
            first_call_ns: 121,
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
fn the_first_call_of_a_body_that_times_itself_takes_what_its_call_takes() {
    let script = script();
    let advance = script.clone();
    let suite = Cases::default().with("slow", move |driver| {
        let mut arm = SelfTimed::new(|iterations| {
            advance.advance(50_000_000 * iterations);
            Duration::from_nanos(10)
        });
        driver.drive(&mut arm, about());
        Ok(())
    });
    let frames = frames(&suite, &plan("slow", 1), &script);
    let Some(Frame::Progress { first_call_ns, .. }) = frames.first() else {
        panic!("{frames:?}");
    };
    assert!(
        (50_000_000..50_001_000).contains(first_call_ns),
        "{first_call_ns}"
    );
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
