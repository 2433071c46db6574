//! Cycles that a counter has of batches, in addition to their ticks.

use tourbillon_clock::Script;
use tourbillon_engine::{About, Control, Controlled, Iterated, Measures, Prepared};
use tourbillon_record::{LaunchSamples, Metric};

use crate::stage::{about, launched, plan, script};

/// A script whose core has four cycles to a tick, and a counter of them.
fn counting() -> Script {
    script().cycle_counter(u64::MAX)
}

fn assert_counted(launch: &LaunchSamples) {
    let batches = &launch.batches;
    assert!(batches.ticks.len() > 10);
    let four_to_a_tick: Vec<u64> = batches.ticks.iter().map(|ticks| 4 * ticks).collect();
    assert_eq!(batches.cycles, four_to_a_tick);
}

#[test]
fn the_cycles_of_each_batch_stand_beside_its_ticks() {
    let script = counting();
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    assert_counted(&launch);
    // Only the chain shows contention.
    assert!(launch.chain.is_some_and(|chain| chain.at.len() > 5));
}

#[test]
fn cycles_between_windows_are_not_counted() {
    let script = counting();
    let (making, working) = (script.clone(), script.clone());
    let make = || making.advance(70);
    let mut arm = Prepared::borrowing(make, |(): &mut ()| working.advance(100), false);
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    assert!(launch.batch_shape.windows > 1, "{:?}", launch.batch_shape);
    assert_counted(&launch);
}

#[test]
fn without_a_counter_or_with_one_that_goes_there_are_none() {
    let script = script();
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
    let never = launched(&mut arm, about(), &plan("case", 1), &script);
    assert!(never.batches.cycles.is_empty());
    let half = script.at().0 / 4 * 3;
    let script = self::script().cycle_counter(half);
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
    let gone = launched(&mut arm, about(), &plan("case", 1), &script);
    assert!(script.at().0 > half);
    assert_eq!(gone.batches.cycles, Vec::<u64>::new());
    assert_eq!(gone.batches.ticks, never.batches.ticks);
}

#[test]
fn bodies_of_which_a_counter_sees_a_part_are_not_counted() {
    let script = counting();
    let advance = script.clone();
    let body = |count: u64, control: &mut Control<'_>| {
        for _ in 0..count {
            control.pause();
            advance.advance(10_000);
            control.resume();
            advance.advance(100);
        }
    };
    let paused = launched(
        &mut Controlled::new(body),
        about(),
        &plan("case", 1),
        &script,
    );
    assert!(paused.batches.cycles.is_empty());
    let measures = Measures {
        metric: Metric::CpuTime,
        own: None,
        step_ns: None,
    };
    let about = About {
        measures: Some(measures),
        ..about()
    };
    let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
    let metered = launched(&mut arm, about, &plan("case", 1), &script);
    assert!(metered.batches.cycles.is_empty());
}
