//! Bodies whose calls overlap, distinguished from ops that wait for each other.

use tourbillon_analysis::{Rules, Tally, estimate};
use tourbillon_record::{Apart, CaseResult, Note, Visit};
use tourbillon_stats::Confidence;

use crate::synthetic::{Model, frequency};

/// Visits of a body of 100 cycles an op, which takes so many where each begins when the one before is
/// over; launch by launch this varies by 4 cycles.
fn visits(alone: f64) -> Vec<Visit> {
    let mut visits = Model::default().visits("x", 8);
    for (index, visit) in visits.iter_mut().enumerate() {
        // 0.7 ticks a cycle.
        let ticks = |ops: f64, cycles: f64| vec![(40.0 + 0.7 * cycles * ops).round() as u64; 3];
        let alone = alone + index as f64 % 3.0 * 2.0 - 2.0;
        visit.apart = Some(Apart {
            ops: 400,
            short_ticks: ticks(400.0, alone + 18.0),
            long_ticks: ticks(800.0, alone + 18.0),
            free_short_ticks: ticks(400.0, 100.0),
            free_long_ticks: ticks(800.0, 100.0),
            empty_short_ticks: ticks(400.0, 18.0),
            empty_long_ticks: ticks(800.0, 18.0),
        });
    }
    visits
}

fn results(visits: &[Visit]) -> Vec<CaseResult> {
    let rules = Rules {
        frequency: frequency(),
        confidence: Confidence::P99,
        core_cache_bytes: None,
    };
    estimate("x", visits, &Tally::default(), &rules)
}

/// The noted cost of one op alone, in nanoseconds and in cycles.
fn alone(visits: &[Visit]) -> Vec<f64> {
    let results = results(visits);
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
    let visits = visits(150.0);
    let results = results(&visits);
    assert!(results.iter().all(CaseResult::overlaps));
    let [ns, cycles] = alone(&visits)[..] else {
        panic!("{results:?}");
    };
    assert!((cycles - 150.0).abs() < 2.5, "{cycles}");
    let ratio = results[0].estimate.unwrap() / results[1].estimate.unwrap();
    assert!((ns / cycles / ratio - 1.0).abs() < 1e-9, "{ns}");
}

#[test]
fn what_a_fence_does_to_any_body_is_no_overlap() {
    // A tenth and eight cycles more.
    assert_eq!(alone(&visits(116.0)), []);
    assert_eq!(alone(&visits(124.0)).len(), 2);
    // Nor is one that is shorter.
    assert_eq!(alone(&visits(90.0)), []);
}

#[test]
fn what_the_processor_knows_in_one_loop_only_is_no_overlap() {
    for ticks_more in [28, -28] {
        let mut visits = visits(150.0);
        for visit in &mut visits {
            // 140 cycles or 60 where the samples say 100, and as much more or less with the fence.
            let apart = visit.apart.as_mut().unwrap();
            for (ticks, ops) in [
                (&mut apart.short_ticks, 400),
                (&mut apart.free_short_ticks, 400),
                (&mut apart.long_ticks, 800),
                (&mut apart.free_long_ticks, 800),
            ] {
                for ticks in ticks {
                    *ticks = ticks.checked_add_signed(ops * ticks_more).unwrap();
                }
            }
        }
        assert_eq!(alone(&visits), [], "{ticks_more}");
    }
}

#[test]
fn fewer_than_three_launches_have_no_error() {
    let visits = visits(150.0);
    assert_eq!(alone(&visits[..2]), []);
    assert_eq!(alone(&visits[..3]).len(), 2);
}

#[test]
fn ops_inside_of_an_iteration_are_not_judged() {
    let mut visits = visits(150.0);
    for visit in &mut visits {
        visit.ops_per_iteration = 2;
    }
    assert_eq!(alone(&visits), []);
}

#[test]
fn without_the_readings_there_is_no_note() {
    let mut visits = visits(150.0);
    for visit in &mut visits {
        visit.apart.as_mut().unwrap().ops = 0;
    }
    assert_eq!(alone(&visits), []);
    for visit in &mut visits {
        visit.apart = None;
    }
    assert_eq!(alone(&visits), []);
}
