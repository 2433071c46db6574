//! Batches that take milliseconds, while other programs use the core: no reading shows what slows down a batch between
//! two readings.

use tourbillon_analysis::synthetic::{Model, frequency};
use tourbillon_analysis::{BlockArm, Criteria, Rules, judge_blocks};
use tourbillon_record::{Batches, Finding, LaunchSamples, Metric, Note};
use tourbillon_stats::Confidence;

use crate::estimates::{nanos, result};

/// Launches of a body of this many cycles, one to four to a batch.
fn launches(cycles_per_op: f64) -> Vec<LaunchSamples> {
    let model = Model {
        cycles_per_op,
        process_spread: 0.001,
        ops: 2,
        ..Model::default()
    };
    let mut launches = model.launches("x", 20);
    for launch in &mut launches {
        // No two readings are alike, which shows the step of the clock.
        for (reading, ticks) in launch.empty.long_ticks.iter_mut().enumerate() {
            *ticks += 3 * (reading as u64 % 4);
        }
    }
    launches
}

/// Makes everything take 3 % longer, and the reading number `reading` of each launch twice as long.
fn contend(launches: &mut [LaunchSamples], reading: usize) {
    for launch in launches {
        for ticks in &mut launch.batches.ticks {
            *ticks += *ticks * 3 / 100;
        }
        let short = launch.empty.short_ticks[reading];
        launch.empty.long_ticks[reading] += launch.empty.long_ticks[reading] - short;
    }
}

/// The ends of the interval of the time, in parts of the truth.
fn ends(launches: &[LaunchSamples], cycles_per_op: f64) -> (f64, f64) {
    let truth = nanos(0.7 * cycles_per_op);
    let time = result(launches, Metric::Time);
    (time.lower.unwrap() / truth, time.upper.unwrap() / truth)
}

fn rules() -> Rules {
    Rules {
        frequency: frequency(),
        confidence: Confidence::P99,
        core_cache_bytes: None,
    }
}

#[test]
fn the_interval_of_long_batches_allows_for_contention_between_the_readings() {
    let mut long = launches(1e6);
    let (lower, upper) = ends(&long, 1e6);
    assert!(lower > 0.995 && upper < 1.005, "{lower} {upper}");
    contend(&mut long, 4);
    let (lower, upper) = ends(&long, 1e6);
    // One reading of ten took twice as long.
    assert!(
        lower > 0.93 && lower < 0.95 && upper > 1.02,
        "{lower} {upper}"
    );
    // A round of short batches is beside two readings, which show what it met.
    let mut short = launches(1e4);
    contend(&mut short, 4);
    let (lower, _) = ends(&short, 1e4);
    assert!(lower > 1.02, "{lower}");
}

#[test]
fn the_interval_of_long_batches_allows_for_waiting() {
    let mut launches = launches(1e6);
    for launch in &mut launches {
        launch.launch_ticks = 100_000_000;
        launch.setup_ticks = 0;
        launch.counted.waited_ns = Some(nanos(20_000_000.0) as u64);
    }
    let (lower, upper) = ends(&launches, 1e6);
    assert!(
        lower > 0.78 && lower < 0.81 && upper < 1.005,
        "{lower} {upper}"
    );
}

#[test]
fn launches_with_a_reading_each_allow_for_what_these_show_together() {
    let mut long = launches(1e6);
    for (number, launch) in long.iter_mut().enumerate() {
        launch.empty.short_ticks.truncate(1);
        launch.empty.long_ticks.truncate(1);
        if number % 4 == 0 {
            let short = launch.empty.short_ticks[0];
            launch.empty.long_ticks[0] += launch.empty.long_ticks[0] - short;
        }
    }
    let (lower, upper) = ends(&long, 1e6);
    assert!(
        lower > 0.78 && lower < 0.81 && upper < 1.005,
        "{lower} {upper}"
    );
}

#[test]
fn a_verdict_allows_for_what_only_one_side_may_have_met() {
    let arm = |name: &str, launches: &[LaunchSamples]| BlockArm::new(name, launches, &rules());
    let quiet = launches(1e6);
    let mut contended = quiet.clone();
    contend(&mut contended, 4);
    let verdict = |reference: &[LaunchSamples], case: &[LaunchSamples]| {
        judge_blocks(&arm("r", reference), &arm("c", case), Criteria::CASES).finding
    };
    assert_eq!(verdict(&quiet, &contended), Finding::Undecided);
    assert_eq!(verdict(&contended, &quiet), Finding::Undecided);
    // Both met it.
    assert_eq!(verdict(&contended, &contended.clone()), Finding::Same);
    let mut slower = launches(1.02e6);
    contend(&mut slower, 4);
    assert_eq!(verdict(&contended, &slower), Finding::Slower);
}

#[test]
fn a_body_is_said_to_ignore_its_iterations_only_if_most_launches_show_it() {
    let notes = |constant: usize| {
        let mut launches = Model::default().launches("x", 20);
        for (number, launch) in launches.iter_mut().enumerate() {
            let Batches { kind, ticks, .. } = &mut launch.batches;
            // A body that times itself is not called for no iterations.
            let kept = kind.iter().zip(ticks.iter()).filter(|(kind, _)| **kind > 0);
            let longer = if number < constant { 10_000_000 } else { 0 };
            let kept = kept.map(|(kind, ticks)| (*kind, *ticks + longer));
            (*kind, *ticks) = kept.unzip();
        }
        result(&launches, Metric::Time).notes
    };
    assert!(notes(20).contains(&Note::ConstantTime));
    // Half of them had to wait for the processor.
    assert!(!notes(12).contains(&Note::ConstantTime));
}
