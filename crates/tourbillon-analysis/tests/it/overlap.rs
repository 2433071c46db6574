//! Bodies whose calls overlap, distinguished from ops that wait for each other.

use tourbillon_analysis::synthetic::{Model, frequency};
use tourbillon_analysis::{Rules, Tally, estimate};
use tourbillon_record::{CaseResult, Fenced, LaunchSamples, Note};
use tourbillon_stats::Confidence;

/// Launches of a body of 100 cycles an op, which takes so many where each begins when the one before is
/// over; launch by launch this varies by 4 cycles.
pub(crate) fn launches(alone: f64) -> Vec<LaunchSamples> {
    let mut launches = Model::default().launches("x", 8);
    for (index, launch) in launches.iter_mut().enumerate() {
        // 0.7 ticks a cycle.
        let ticks = |ops: f64, cycles: f64| vec![(40.0 + 0.7 * cycles * ops).round() as u64; 3];
        let alone = alone + index as f64 % 3.0 * 2.0 - 2.0;
        launch.fenced = Some(Fenced {
            ops: 400,
            short_ticks: ticks(400.0, alone + 18.0),
            long_ticks: ticks(800.0, alone + 18.0),
            free_short_ticks: ticks(400.0, 100.0),
            free_long_ticks: ticks(800.0, 100.0),
            empty_short_ticks: ticks(400.0, 18.0),
            empty_long_ticks: ticks(800.0, 18.0),
        });
    }
    launches
}

fn results(launches: &[LaunchSamples]) -> Vec<CaseResult> {
    let rules = Rules {
        frequency: frequency(),
        confidence: Confidence::P99,
        core_cache_bytes: None,
    };
    estimate("x", launches, &Tally::default(), &rules)
}

/// The noted cost of one op alone, in nanoseconds and in cycles.
fn alone(launches: &[LaunchSamples]) -> Vec<f64> {
    let results = results(launches);
    let notes = results.iter().flat_map(|result| &result.notes);
    notes
        .filter_map(|note| match note {
            Note::Overlaps { alone } => Some(*alone),
            _ => None,
        })
        .collect()
}

#[test]
fn calls_overlap_where_one_alone_takes_clearly_longer() {
    let launches = launches(150.0);
    let results = results(&launches);
    assert!(results.iter().all(CaseResult::overlaps));
    let [ns, cycles] = alone(&launches)[..] else {
        panic!("{results:?}");
    };
    assert!((cycles - 150.0).abs() < 2.5, "{cycles}");
    let ratio = results[0].estimate.unwrap() / results[1].estimate.unwrap();
    assert!((ns / cycles / ratio - 1.0).abs() < 1e-9, "{ns}");
}

#[test]
fn what_a_fence_does_to_any_body_is_no_overlap() {
    // A tenth and eight cycles more.
    assert_eq!(alone(&launches(116.0)), []);
    assert_eq!(alone(&launches(124.0)).len(), 2);
    // Nor is one that is shorter.
    assert_eq!(alone(&launches(90.0)), []);
}

#[test]
fn what_the_processor_knows_in_one_loop_only_is_no_overlap() {
    for ticks_more in [28, -28] {
        let mut launches = launches(150.0);
        for launch in &mut launches {
            // 140 cycles or 60 where the samples say 100, and as much more or less with the fence.
            let fenced = launch.fenced.as_mut().unwrap();
            for (ticks, ops) in [
                (&mut fenced.short_ticks, 400),
                (&mut fenced.free_short_ticks, 400),
                (&mut fenced.long_ticks, 800),
                (&mut fenced.free_long_ticks, 800),
            ] {
                for ticks in ticks {
                    *ticks = ticks.checked_add_signed(ops * ticks_more).unwrap();
                }
            }
        }
        assert_eq!(alone(&launches), [], "{ticks_more}");
    }
}

#[test]
fn fewer_than_three_launches_have_no_error() {
    let launches = launches(150.0);
    assert_eq!(alone(&launches[..2]), []);
    assert_eq!(alone(&launches[..3]).len(), 2);
}

#[test]
fn ops_inside_of_an_iteration_are_not_judged() {
    let mut launches = launches(150.0);
    for launch in &mut launches {
        launch.ops_per_iteration = 2;
    }
    assert_eq!(alone(&launches), []);
}

#[test]
fn without_the_readings_there_is_no_note() {
    let mut launches = launches(150.0);
    for launch in &mut launches {
        launch.fenced.as_mut().unwrap().ops = 0;
    }
    assert_eq!(alone(&launches), []);
    for launch in &mut launches {
        launch.fenced = None;
    }
    assert_eq!(alone(&launches), []);
}
