//! Findings about a result.

use tourbillon_analysis::void_times;
use tourbillon_record::{Absence, FixedItem, Metric, Note, Team, Visit};

use crate::estimates::{result, results};
use crate::synthetic::Model;

#[test]
fn a_launch_that_stands_apart_is_told() {
    let mut visits = Model {
        process_spread: 0.001,
        ..Model::default()
    }
    .visits("x", 20);
    visits[3] = Model {
        cycles_per_op: 161.0,
        ..Model::default()
    }
    .visits("x", 4)
    .remove(3);
    let time = result(&visits, Metric::Time);
    let [Note::Skewed, Note::SlowLaunches { count: 1, excess }] = time.notes[..] else {
        panic!("{:?}", time.notes);
    };
    assert!((excess - 0.61).abs() < 0.002);
}

#[test]
fn ops_that_grow_dearer_are_curved() {
    let mut visits = Model::default().visits("x", 20);
    for visit in &mut visits {
        let batches = &mut visit.batches;
        for (kind, ticks) in batches.kind.iter().zip(&mut batches.ticks) {
            *ticks += if *kind == 2 { 14_000 } else { 0 };
        }
    }
    let notes = result(&visits, Metric::Time).notes;
    let [Note::Curvature { fraction }] = notes[..] else {
        panic!("{notes:?}");
    };
    assert!((fraction - 1.0 / 6.0).abs() < 1e-3, "{fraction}");
}

#[test]
fn one_cold_launch_is_chance_and_many_are_not() {
    let mut visits = Model::default().visits("x", 20);
    visits[0].warmup.settled = false;
    assert!(result(&visits, Metric::Time).notes.is_empty());
    for visit in &mut visits {
        visit.warmup.settled = false;
    }
    assert_eq!(
        result(&visits, Metric::Time).notes,
        [Note::NotWarm { launches: 20 }]
    );
}

#[test]
fn threads_that_were_left_are_told() {
    let mut visits = Model::default().visits("x", 20);
    visits[4].threads = Some(3);
    visits[5].threads = None;
    assert_eq!(
        result(&visits, Metric::Time).notes,
        [Note::ThreadsLeft { launches: 1 }]
    );
}

fn told(visits: &[Visit]) -> bool {
    let notes = result(visits, Metric::Time).notes;
    notes
        .iter()
        .any(|note| matches!(note, Note::PagesTouched { .. }))
}

#[test]
fn pages_that_take_a_good_part_of_the_time_are_told() {
    let mut visits = Model::default().visits("x", 20);
    let elapsed = result(&visits, Metric::Time).elapsed_ns / 20.0;
    let ops = result(&visits, Metric::Time).ops as f64 / 20.0;
    // A page in 50 microseconds is where it begins to matter.
    let many = (elapsed / 20_000.0) as u64;
    for visit in &mut visits[..11] {
        visit.counted.page_faults = Some(many);
    }
    let notes = result(&visits, Metric::Time).notes;
    let [Note::PagesTouched { per_op }] = notes[..] else {
        panic!("{notes:?}");
    };
    assert!((per_op / (many as f64 / ops) - 1.0).abs() < 0.1, "{per_op}");
    // Sampling touches some for itself, and a page now and then is none of each batch.
    let mut short = visits.clone();
    for visit in &mut short {
        visit
            .batches
            .ticks
            .iter_mut()
            .for_each(|ticks| *ticks /= 1_000);
        visit.counted.page_faults = Some(visit.batches.kind.len() as u64);
    }
    assert!(!told(&short), "{:?}", short[0].counted);
    for visit in &mut short {
        visit.counted.page_faults = Some(visit.batches.kind.len() as u64 + 16);
    }
    assert!(told(&short), "{:?}", short[0].counted);
    // In half of the launches it is chance, or what a launch does at its beginning.
    visits[0].counted.page_faults = None;
    assert!(result(&visits, Metric::Time).notes.is_empty());
    for visit in &mut visits {
        visit.counted.page_faults = Some(many / 4);
    }
    assert!(result(&visits, Metric::Time).notes.is_empty());
}

#[test]
fn a_processor_that_something_else_had_is_told_with_its_share_of_the_samples() {
    let mut visits = Model {
        setup_ticks: 3_000_000_000,
        ..Model::default()
    }
    .visits("x", 20);
    // Nothing but the batches, and a little warming up; 2.6 ticks a nanosecond.
    let sampling: u64 = visits[0].batches.ticks.iter().sum::<u64>() - visits[0].warmup.ticks;
    let waited = |visits: &mut [Visit], share: f64| {
        let own = (share * sampling as f64 / 2.6) as u64;
        for visit in visits {
            visit.counted.waited_ns = Some(own);
        }
    };
    waited(&mut visits, 0.0);
    waited(&mut visits[3..4], 0.9);
    assert!(result(&visits, Metric::Time).notes.is_empty());
    waited(&mut visits, 0.2);
    // A launch that could not count is in neither.
    visits[0].counted.waited_ns = None;
    let notes = result(&visits, Metric::Time).notes;
    let [Note::Waited { fraction }] = notes[..] else {
        panic!("{notes:?}");
    };
    assert!((fraction - 0.2).abs() < 1e-3, "{fraction}");
    // More than there was is all of it.
    visits[1].counted.waited_ns = Some(u64::MAX);
    let notes = result(&visits, Metric::Time).notes;
    assert_eq!(notes, [Note::Waited { fraction: 1.0 }]);
    for visit in &mut visits {
        visit.visit_ticks = 0;
    }
    assert!(result(&visits, Metric::Time).notes.is_empty());
}

#[test]
fn what_is_written_during_the_samples_is_told_unless_it_may_be_outside_of_the_clock() {
    let mut visits = Model::default().visits("x", 20);
    for visit in &mut visits {
        visit.counted.written_bytes = Some(0);
    }
    assert!(result(&visits, Metric::Time).notes.is_empty());
    for visit in &mut visits {
        visit.counted.written_bytes = Some(1);
    }
    let notes = result(&visits, Metric::Time).notes;
    assert!(matches!(notes[..], [Note::Writes { per_op }] if per_op > 0.0 && per_op < 0.01));
    for terminal in ["with_inputs.iter_mut", "with_state.iter_mut"] {
        for visit in &mut visits {
            visit.terminal = terminal.to_owned();
            visit.counted.page_faults = Some(1 << 30);
        }
        assert!(result(&visits, Metric::Time).notes.is_empty(), "{terminal}");
    }
}

#[test]
fn a_correction_above_the_reading_is_told_and_not_clamped() {
    let mut visits = Model {
        pauses: Some((1_000, 55)),
        ..Model::default()
    }
    .visits("x", 20);
    for visit in &mut visits {
        // What was calibrated is three times what is in the readings.
        visit
            .pauses
            .as_mut()
            .unwrap()
            .residual_ticks
            .fill(3 * 5_500);
    }
    let time = result(&visits, Metric::Time);
    assert!(time.notes.contains(&Note::CorrectionTooLarge));
    assert!(time.upper.unwrap() < 0.0);
}

#[test]
fn one_item_alone_that_costs_something_else_is_told() {
    let mut visits = Model::default().visits("x", 20);
    let mut alone = |share: f64| {
        for visit in &mut visits {
            // 100 cycles of 0.7 ticks for an op, 1000 and 2000 of them, and 500 ticks for a batch.
            visit.fixed_item = Some(FixedItem {
                short_ticks: vec![(70_000.0 * share) as u64 + 500; 3],
                long_ticks: vec![(140_000.0 * share) as u64 + 500; 3],
            });
        }
        result(&visits, Metric::Cycles).notes
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
fn on_threads(threads: u64, processors: u64, fastest: u64, slowest: u64) -> Vec<Visit> {
    let mut visits = Model::default().visits("x", 20);
    for visit in &mut visits {
        let kinds = &visit.batches.kind;
        let long = |ticks: u64| {
            kinds
                .iter()
                .map(|kind| [9, 90, ticks][usize::from(*kind)])
                .collect()
        };
        visit.team = Some(Team {
            threads,
            processors: Some(processors),
            fastest_ticks: long(fastest),
            slowest_ticks: long(slowest),
            apart_ticks: vec![30; kinds.len()],
        });
    }
    visits
}

#[test]
fn threads_that_are_far_from_each_other_are_told() {
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
fn threads_that_take_turns_are_told() {
    let notes = |threads| result(&on_threads(threads, 2, 1_000, 1_000), Metric::Time).notes;
    assert_eq!(notes(2), []);
    let told = Note::ThreadsInTurns {
        threads: 3,
        processors: 2,
    };
    assert_eq!(notes(3), [told]);
}

#[test]
fn several_threads_have_no_cycles() {
    let metrics = |threads| {
        let visits = on_threads(threads, 4, 1_000, 1_000);
        let results = crate::estimates::results(&visits);
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
    let mut visits = Model::default().visits("x", 20);
    for visit in &mut visits {
        visit.warmup.settled = false;
    }
    let mut results = results(&visits);
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
