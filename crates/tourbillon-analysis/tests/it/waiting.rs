//! Code that waits for memory, detected by what it touches and by how launches scatter.

use tourbillon_analysis::synthetic::{Model, frequency, plan};
use tourbillon_analysis::{Rules, Tally, estimate};
use tourbillon_record::{LaunchSamples, Metric, Note};
use tourbillon_stats::Confidence;

const LAUNCHES: u32 = 20;
/// What the caches of a core hold.
pub(crate) const CACHE: u64 = 1 << 20;

/// A share of a case's launches each, from -1 to 1 in even steps, in a sequence of their own.
fn steps(launch: u32, stride: u32) -> f64 {
    f64::from(launch * stride % LAUNCHES) / f64::from(LAUNCHES - 1) * 2.0 - 1.0
}

/// Launches of a case while the core's clock goes up and down by `wander`. Its cycles do so by `cycles`
/// besides and, if it does not follow the core, by what keeps its time where it was.
pub(crate) fn launches(
    wander: f64,
    cycles: f64,
    follows_core: bool,
    touched: Option<u64>,
) -> Vec<LaunchSamples> {
    let launch = |launch| {
        let core = 1.0 + wander * steps(launch, 7);
        let own = 1.0 + cycles * steps(launch, 9);
        let model = Model {
            cycles_per_op: 100.0 * own / if follows_core { 1.0 } else { core },
            core: (0.7 * core, 0.0),
            ..Model::default()
        };
        let mut samples = model.launch(&plan("x", launch));
        samples.touched_bytes = touched.filter(|_| launch == 0);
        samples
    };
    (0..LAUNCHES).map(launch).collect()
}

/// Launches while the clock goes up and down by `wander`, and cycles by `cycles` in step with its length.
fn in_step(wander: f64, cycles: f64) -> Vec<LaunchSamples> {
    let launch = |launch| {
        let model = Model {
            cycles_per_op: 100.0 * (1.0 + cycles * steps(launch, 7)),
            core: (0.7 * (1.0 + wander * steps(launch, 7)), 0.0),
            ..Model::default()
        };
        let mut launch = model.launch(&plan("x", launch));
        launch.touched_bytes = Some(16 * CACHE);
        launch
    };
    (0..LAUNCHES).map(launch).collect()
}

/// The notes of the cycles.
fn notes(launches: &[LaunchSamples], core_cache_bytes: Option<u64>) -> Vec<Note> {
    let rules = Rules {
        frequency: frequency(),
        confidence: Confidence::P99,
        core_cache_bytes,
    };
    let results = estimate("x", launches, &Tally::default(), &rules);
    let [time, cycles] = &results[..] else {
        panic!("{results:?}");
    };
    assert_eq!(cycles.metric, Metric::Cycles);
    assert!(!time.waits_for_memory());
    assert_eq!(cycles.waits_for_memory(), !cycles.notes.is_empty());
    cycles.notes.clone()
}

fn waits(launches: &[LaunchSamples]) -> bool {
    !notes(launches, Some(CACHE)).is_empty()
}

#[test]
fn it_takes_more_memory_than_the_core_has_caches() {
    let touching = |touched| launches(0.01, 0.001, false, touched);
    let note = |touched_bytes| vec![Note::WaitsForMemory { touched_bytes }];
    assert_eq!(notes(&touching(Some(CACHE)), Some(CACHE)), note(CACHE));
    assert_eq!(notes(&touching(Some(CACHE - 1)), Some(CACHE)), []);
    // Nothing is made up where one of them is not known.
    assert_eq!(notes(&touching(Some(CACHE)), None), []);
    assert_eq!(notes(&touching(None), Some(CACHE)), []);
}

#[test]
fn what_follows_the_core_does_not_wait() {
    let touched = Some(16 * CACHE);
    // Steady cycles, and cycles that scatter half as much as the clock does.
    assert!(!waits(&launches(0.02, 0.001, true, touched)));
    assert!(!waits(&launches(0.02, 0.01, true, touched)));
    assert!(!waits(&launches(0.02, 0.018, true, touched)));
    // No steadier than times, but than the clock: slow launches happened to be made at a fast one.
    assert!(!waits(&in_step(0.02, -0.011)));
}

#[test]
fn what_does_not_follow_the_core_waits() {
    let touched = Some(16 * CACHE);
    // Steady times; times that scatter half as much as the clock does, and twice as much.
    assert!(waits(&launches(0.02, 0.0, false, touched)));
    assert!(waits(&launches(0.02, 0.01, false, touched)));
    assert!(waits(&launches(0.02, 0.04, false, touched)));
    // Times that scatter more, by what the clock cannot have brought about: slow launches happened to be
    // made at a slow clock.
    assert!(waits(&in_step(0.01, 0.025)));
    // A clock that stands still shows nothing; touched memory does.
    assert!(waits(&launches(0.0, 0.01, true, touched)));
    assert!(waits(&launches(0.0, 0.0, true, touched)));
}

#[test]
fn a_long_call_computes_unless_its_launches_are_far_apart() {
    // A call has more than 50 ns for each 64 bytes that it touches; or a little less.
    let call = |touched: f64, cycles| {
        let mut launches = launches(0.0, cycles, true, Some(16 * CACHE));
        for launch in &mut launches {
            let call_ns = 100.0 * 0.7 / 2.6 * launch.ops_per_iteration as f64;
            let calls = touched * (16 * CACHE) as f64 / 64.0 * 50.0 / call_ns;
            launch.ops_per_iteration = calls as u64;
            // So many ops in each iteration, of the same time each.
            for ticks in &mut launch.batches.ticks {
                *ticks *= launch.ops_per_iteration;
            }
        }
        waits(&launches)
    };
    assert!(!call(1.1, 0.01));
    assert!(call(0.9, 0.01));
    assert!(call(1.1, 0.1));
}
