//! Findings about a result.

use tourbillon_analysis::synthetic::Model;
use tourbillon_analysis::void_times;
use tourbillon_record::{Absence, Batches, FixedItem, LaunchSamples, Metric, Note, Team};

use crate::estimates::{result, results};

#[test]
fn a_launch_that_stands_apart_is_noted() {
    let mut launches = Model {
        process_spread: 0.001,
        ..Model::default()
    }
    .launches("x", 20);
    launches[3] = Model {
        cycles_per_op: 161.0,
        ..Model::default()
    }
    .launches("x", 4)
    .remove(3);
    let time = result(&launches, Metric::Time);
    let [Note::Skewed, Note::SlowLaunches { count: 1, excess }] = time.notes[..] else {
        panic!("{:?}", time.notes);
    };
    assert!((excess - 0.61).abs() < 0.002);
}

#[test]
fn ops_that_grow_dearer_are_curved() {
    let mut launches = Model::default().launches("x", 20);
    for launch in &mut launches {
        let batches = &mut launch.batches;
        for (kind, ticks) in batches.kind.iter().zip(&mut batches.ticks) {
            *ticks += if *kind == 2 { 14_000 } else { 0 };
        }
    }
    let notes = result(&launches, Metric::Time).notes;
    let [Note::Curvature { fraction }] = notes[..] else {
        panic!("{notes:?}");
    };
    assert!((fraction - 1.0 / 6.0).abs() < 1e-3, "{fraction}");
}

#[test]
fn a_body_that_ignores_its_iterations_is_noted() {
    let launches = |fixed_ticks: f64, times_itself: bool| {
        let model = Model {
            cycles_per_op: 10.0,
            fixed_ticks,
            ..Model::default()
        };
        let mut launches = model.launches("x", 20);
        for Batches { kind, ticks, .. } in launches.iter_mut().map(|launch| &mut launch.batches) {
            // A body that times itself is not called for no iterations.
            let all = kind.iter().zip(ticks.iter());
            let kept = all.filter(|(kind, _)| !times_itself || **kind > 0);
            (*kind, *ticks) = kept.map(|(kind, ticks)| (*kind, *ticks)).unzip();
        }
        result(&launches, Metric::Time).notes
    };
    // An op takes 7 ticks, a short batch has 1 000.
    assert_eq!(launches(1e6, true), [Note::ConstantTime]);
    assert!(launches(7_000.0, true).is_empty());
    assert!(!launches(1e6, false).contains(&Note::ConstantTime));
}

#[test]
fn one_cold_launch_is_chance_and_many_are_not() {
    let mut launches = Model::default().launches("x", 20);
    launches[0].warmup.settled = false;
    assert!(result(&launches, Metric::Time).notes.is_empty());
    for launch in &mut launches {
        launch.warmup.settled = false;
    }
    assert_eq!(
        result(&launches, Metric::Time).notes,
        [Note::NotWarm { launches: 20 }]
    );
}

#[test]
fn threads_that_still_work_are_noted() {
    let mut launches = Model::default().launches("x", 20);
    // A runtime sleeps.
    for launch in &mut launches {
        (launch.threads, launch.working_threads) = (Some(9), Some(1));
    }
    assert_eq!(result(&launches, Metric::Time).notes, []);
    // One that is on its way to sleep is found working now and then.
    for launch in &mut launches[..10] {
        launch.working_threads = Some(3);
    }
    assert_eq!(result(&launches, Metric::Time).notes, []);
    launches[10].working_threads = Some(2);
    launches[11].working_threads = None;
    assert_eq!(
        result(&launches, Metric::Time).notes,
        [Note::ThreadsLeft { launches: 11 }]
    );
}

fn is_noted(launches: &[LaunchSamples]) -> bool {
    let notes = result(launches, Metric::Time).notes;
    notes
        .iter()
        .any(|note| matches!(note, Note::PagesTouched { .. }))
}

#[test]
fn pages_that_take_a_good_part_of_the_time_are_noted() {
    let mut launches = Model::default().launches("x", 20);
    let elapsed = result(&launches, Metric::Time).elapsed_ns / 20.0;
    let ops = result(&launches, Metric::Time).ops as f64 / 20.0;
    // A page in 50 microseconds is where it begins to matter.
    let many = (elapsed / 20_000.0) as u64;
    for launch in &mut launches[..11] {
        launch.counted.page_faults = Some(many);
    }
    let notes = result(&launches, Metric::Time).notes;
    let [Note::PagesTouched { per_op }] = notes[..] else {
        panic!("{notes:?}");
    };
    assert!((per_op / (many as f64 / ops) - 1.0).abs() < 0.1, "{per_op}");
    // Sampling touches some for itself, and a page now and then is none of each batch.
    let mut short = launches.clone();
    for launch in &mut short {
        launch
            .batches
            .ticks
            .iter_mut()
            .for_each(|ticks| *ticks /= 1_000);
        launch.counted.page_faults = Some(launch.batches.kind.len() as u64);
    }
    assert!(!is_noted(&short), "{:?}", short[0].counted);
    for launch in &mut short {
        launch.counted.page_faults = Some(launch.batches.kind.len() as u64 + 16);
    }
    assert!(is_noted(&short), "{:?}", short[0].counted);
    // In half of the launches it is chance, or what a launch does at its beginning.
    launches[0].counted.page_faults = None;
    assert!(result(&launches, Metric::Time).notes.is_empty());
    for launch in &mut launches {
        launch.counted.page_faults = Some(many / 4);
    }
    assert!(result(&launches, Metric::Time).notes.is_empty());
}

#[test]
fn a_processor_that_something_else_had_is_noted_with_its_share() {
    let mut launches = Model {
        setup_ticks: 3_000_000_000,
        ..Model::default()
    }
    .launches("x", 20);
    // Nothing but the batches, and a little warming up; 2.6 ticks a nanosecond.
    let sampling: u64 = launches[0].batches.ticks.iter().sum::<u64>() - launches[0].warmup.ticks;
    let waited = |launches: &mut [LaunchSamples], share: f64| {
        let own = (share * sampling as f64 / 2.6) as u64;
        for launch in launches {
            launch.counted.waited_ns = Some(own);
        }
    };
    waited(&mut launches, 0.0);
    waited(&mut launches[3..4], 0.9);
    assert!(result(&launches, Metric::Time).notes.is_empty());
    waited(&mut launches, 0.2);
    // A launch that could not count is in neither.
    launches[0].counted.waited_ns = None;
    let notes = result(&launches, Metric::Time).notes;
    let [Note::Waited { fraction }] = notes[..] else {
        panic!("{notes:?}");
    };
    assert!((fraction - 0.2).abs() < 1e-3, "{fraction}");
    // More than there was is all of it.
    launches[1].counted.waited_ns = Some(u64::MAX);
    let notes = result(&launches, Metric::Time).notes;
    assert_eq!(notes, [Note::Waited { fraction: 1.0 }]);
    for launch in &mut launches {
        launch.launch_ticks = 0;
    }
    assert!(result(&launches, Metric::Time).notes.is_empty());
}

#[test]
fn bytes_written_during_the_samples_are_noted_if_the_clock_runs() {
    let mut launches = Model::default().launches("x", 20);
    for launch in &mut launches {
        launch.counted.written_bytes = Some(0);
    }
    assert!(result(&launches, Metric::Time).notes.is_empty());
    for launch in &mut launches {
        launch.counted.written_bytes = Some(1);
    }
    let notes = result(&launches, Metric::Time).notes;
    assert!(matches!(notes[..], [Note::Writes { per_op }] if per_op > 0.0 && per_op < 0.01));
    for terminal in ["with_inputs.iter_mut", "with_state.iter_mut"] {
        for launch in &mut launches {
            launch.terminal = terminal.to_owned();
            launch.counted.page_faults = Some(1 << 30);
        }
        assert!(
            result(&launches, Metric::Time).notes.is_empty(),
            "{terminal}"
        );
    }
}

#[test]
fn a_correction_above_the_reading_is_noted_and_not_clamped() {
    let mut launches = Model {
        pauses: Some((1_000, 55)),
        ..Model::default()
    }
    .launches("x", 20);
    for launch in &mut launches {
        // What was calibrated is three times what is in the readings.
        launch
            .pauses
            .as_mut()
            .unwrap()
            .residual_ticks
            .fill(3 * 5_500);
    }
    let time = result(&launches, Metric::Time);
    assert!(time.notes.contains(&Note::CorrectionTooLarge));
    assert!(time.upper.unwrap() < 0.0);
}

#[test]
fn one_item_alone_with_another_cost_is_noted() {
    let mut launches = Model::default().launches("x", 20);
    let mut alone = |share: f64| {
        for launch in &mut launches {
            // 100 cycles of 0.7 ticks for an op, 1000 and 2000 of them, and 500 ticks for a batch.
            launch.fixed_item = Some(FixedItem {
                short_ticks: vec![(70_000.0 * share) as u64 + 500; 3],
                long_ticks: vec![(140_000.0 * share) as u64 + 500; 3],
            });
        }
        result(&launches, Metric::Cycles).notes
    };
    assert_eq!(alone(0.95), []);
    assert_eq!(alone(1.05), []);
    let [Note::FixedItem { fraction }] = alone(0.2)[..] else {
        panic!("a fifth of the time went unnoticed");
    };
    assert!((fraction + 0.8).abs() < 1e-3, "{fraction}");
    let [Note::FixedItem { fraction }] = alone(1.5)[..] else {
        panic!("half as much again went unnoticed");
    };
    assert!((fraction - 0.5).abs() < 1e-3, "{fraction}");
}

/// Launches whose threads took `fastest` and `slowest` ticks in every long batch.
pub(crate) fn on_threads(
    threads: u64,
    processors: u64,
    fastest: u64,
    slowest: u64,
) -> Vec<LaunchSamples> {
    let mut launches = Model::default().launches("x", 20);
    for launch in &mut launches {
        let kinds = &launch.batches.kind;
        let long = |ticks: u64| {
            kinds
                .iter()
                .map(|kind| [9, 90, ticks][usize::from(*kind)])
                .collect()
        };
        launch.team = Some(Team {
            threads,
            processors: Some(processors),
            fastest_ticks: long(fastest),
            slowest_ticks: long(slowest),
            start_spread_ticks: vec![30; kinds.len()],
        });
    }
    launches
}

#[test]
fn threads_that_are_far_from_each_other_are_noted() {
    let notes = |fastest, slowest| result(&on_threads(2, 2, fastest, slowest), Metric::Time).notes;
    assert_eq!(notes(140_000, 161_000), []);
    let [Note::UnevenThreads { fraction }] = notes(70_000, 140_000)[..] else {
        panic!("twice as long went unnoticed");
    };
    assert!((fraction - 1.0).abs() < 1e-9, "{fraction}");
    // One that is not waited for at all.
    assert_eq!(notes(0, 140_000), []);
}

#[test]
fn threads_that_take_turns_are_noted() {
    let notes = |threads| result(&on_threads(threads, 2, 1_000, 1_000), Metric::Time).notes;
    assert_eq!(notes(2), []);
    let note = Note::Oversubscribed {
        threads: 3,
        processors: 2,
    };
    assert_eq!(notes(3), [note]);
}

#[test]
fn several_threads_have_no_cycles() {
    let metrics = |threads| {
        let launches = on_threads(threads, 4, 1_000, 1_000);
        let results = crate::estimates::results(&launches);
        results
            .iter()
            .map(|result| result.metric)
            .collect::<Vec<_>>()
    };
    assert_eq!(metrics(1), [Metric::Time, Metric::Cycles]);
    assert_eq!(metrics(2), [Metric::Time]);
}

#[test]
fn void_times_keep_the_notes_that_give_no_time() {
    let mut launches = Model::default().launches("x", 20);
    for launch in &mut launches {
        launch.warmup.settled = false;
    }
    let mut results = results(&launches);
    let cycles = results[1].clone();
    results[0].notes.push(Note::Skewed);
    let ppm = -47_619.0;
    void_times(&mut results, ppm);
    assert_eq!(results[0].estimate, Err(Absence::ClocksDisagree));
    assert_eq!(
        results[0].notes,
        [Note::NotWarm { launches: 20 }, Note::ClocksDisagree { ppm }]
    );
    assert_eq!(results[1], cycles);
}
