//! Calls that are timed one by one, on a clock whose every reading costs 10 ticks.

use tourbillon_clock::{Clock, Script};
use tourbillon_engine::{Arm, Pace, Single};
use tourbillon_record::{BatchShape, Calls, LaunchSamples};

use crate::stage::{HZ, about, launched, of_kind, plan, script};

/// Bodies that take these ticks in turn.
fn in_turn(script: &Script, ticks: &'static [u64]) -> impl FnMut() {
    let (script, mut ticks) = (script.clone(), ticks.iter().cycle());
    move || script.advance(ticks.next().copied().unwrap_or(0))
}

fn launch_of(pace: Pace, ticks: &'static [u64]) -> LaunchSamples {
    let script = script();
    let mut arm = Single::new(in_turn(&script, ticks), |()| Ok(()), pace, false);
    launched(&mut arm, about(), &plan("case", 1), &script)
}

fn calls_of(launch: &LaunchSamples) -> &Calls {
    launch.calls.as_deref().expect("calls were timed")
}

#[test]
fn each_call_has_a_duration_with_one_reading() {
    let launch = launch_of(Pace::BackToBack, &[1_000]);
    let calls = calls_of(&launch);
    // The first call of a window begins with the other reading.
    assert_eq!(
        (&*calls.ticks, calls.longest_ticks),
        (&[1_010, 1_020][..], 1_020)
    );
    assert!(calls.count[1] < calls.count[0] / 100, "{:?}", calls.count);
    assert_eq!(calls.reading_ticks, [10; 9]);
    assert_eq!((calls.per_second, calls.late, calls.backlog), (None, 0, 0));
    // All calls of the samples, and no others.
    let in_batches = of_kind(&launch, 1).len() as u64 * launch.batch_shape.items;
    assert_eq!(calls.calls(), in_batches);
    assert!(!launch.batch_shape.slope && launch.batch_shape.items > 100);
}

#[test]
fn a_mixture_keeps_its_shares() {
    let launch = launch_of(Pace::BackToBack, &[1_000, 1_000, 1_000, 1_000, 5_000]);
    let calls = calls_of(&launch);
    let long: u64 = calls
        .ticks
        .iter()
        .zip(&calls.count)
        .filter(|(ticks, _)| **ticks > 2_000)
        .map(|(_, count)| count)
        .sum();
    let share = long as f64 / calls.calls() as f64;
    // Some calls before each window are not timed.
    assert!((share - 0.2).abs() < 0.005, "{share}");
    assert_eq!(calls.longest_ticks.div_ceil(10), 502);
}

#[test]
fn at_a_rate_calls_are_timed_from_when_they_are_due() {
    // 2000 ticks between two calls of 1000.
    let launch = launch_of(Pace::PerSecond(500_000.0), &[1_000]);
    let calls = calls_of(&launch);
    assert_eq!(calls.per_second, Some(500_000.0));
    assert_eq!((calls.late, calls.backlog), (0, 0));
    // The spinning stops at the first reading after that.
    assert!(
        calls
            .ticks
            .iter()
            .all(|ticks| (1_010..=1_030).contains(ticks)),
        "{:?}",
        calls.ticks
    );
    // One batch of the whole budget.
    assert_eq!(of_kind(&launch, 1).len(), 1);
    assert_eq!(calls.calls(), 3_000);
    assert_eq!(launch.batch_shape.items, 3_000);
    // Its ticks are those inside calls.
    let inside = of_kind(&launch, 1)[0] / 3_000;
    assert!((1_010..=1_030).contains(&inside), "{inside}");
    // As many readings of the probes as judge a launch.
    assert_eq!(launch.empty.short_ticks.len(), 5);
    assert_eq!(launch.chain.expect("a core").at.len(), 10);
}

#[test]
fn a_stall_delays_the_calls_that_are_due_in_it() {
    let script = script().read_cost(0, 0);
    // The third call stalls for ten intervals.
    let body = in_turn(
        &script,
        &[500, 500, 10_500, 500, 500, 500, 500, 500, 500, 500],
    );
    let mut arm = Single::new(body, |()| Ok(()), Pace::PerSecond(1e6), false);
    let clock = Clock::scripted(&script);
    arm.time_calls(&clock, HZ);
    arm.batch(&clock, BatchShape::of_items(10));
    let calls = arm.calls().expect("calls were timed");
    // Due at 3000 .. 9000, begun from 12500 on, each 500 ticks: 10000, 9500, .. ticks late.
    let expected = [
        500, 500, 7_000, 7_500, 8_000, 8_500, 9_000, 9_500, 10_000, 10_500,
    ];
    let mut found: Vec<u64> = Vec::new();
    for (ticks, count) in calls.ticks.iter().zip(&calls.count) {
        found.extend(std::iter::repeat_n(*ticks, *count as usize));
    }
    let expected = expected.map(Calls::bucket);
    // The call that waits for its time begins with the reading after it.
    assert_eq!(found.len(), 10);
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.abs_diff(expected) <= 16, "{found} {expected}");
    }
    assert_eq!((calls.late, calls.backlog), (7, 10));
    // No more calls are timed.
    arm.batch(&clock, BatchShape::of_items(3));
    assert_eq!(arm.calls(), None);
}

#[test]
fn outputs_are_dropped_between_calls_or_inside() {
    struct Output(Script);
    impl Drop for Output {
        fn drop(&mut self) {
            self.0.advance(300);
        }
    }
    for (drop_inside, expected) in [(false, 1_010), (true, 1_310)] {
        let script = script();
        let body = || {
            script.advance(1_000);
            Output(script.clone())
        };
        let mut arm = Single::new(body, |_| Ok(()), Pace::BackToBack, drop_inside);
        let launch = launched(&mut arm, about(), &plan("case", 1), &script);
        let calls = calls_of(&launch);
        assert_eq!(calls.ticks[0], expected);
        let last = expected + 10;
        assert!(
            calls
                .ticks
                .iter()
                .all(|ticks| (expected..=last).contains(ticks))
        );
    }
}

#[test]
fn a_launch_makes_the_calls_that_were_asked_for() {
    let script = script();
    for pace in [Pace::BackToBack, Pace::PerSecond(500_000.0)] {
        let mut arm = Single::new(in_turn(&script, &[1_000]), |()| Ok(()), pace, false);
        let mut plan = plan("case", 1);
        plan.min_iterations = 20_000;
        let launch = launched(&mut arm, about(), &plan, &script);
        assert!(calls_of(&launch).calls() >= 20_000, "{pace:?}");
    }
}
