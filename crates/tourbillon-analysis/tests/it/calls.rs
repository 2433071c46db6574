//! Percentiles of calls that were timed one by one.

use std::collections::BTreeMap;

use tourbillon_analysis::PERCENTILES;
use tourbillon_analysis::synthetic::Model;
use tourbillon_record::{Absence, Batches, Calls, LaunchSamples, Metric, Note, Scope};
use tourbillon_stats::Rng;

use crate::estimates::{nanos, result, results};

/// Ticks of the bodies: 100,000 calls of 10 µs, one in twenty of 30 µs.
const SHORT: u64 = 26_000;
const LONG: u64 = 78_000;

/// Launches of so many calls, each of `ticks`; the core is contended in the first `contended`.
pub(crate) fn launches(
    count: u32,
    calls: u64,
    contended: u32,
    ticks: impl Fn(&mut Rng) -> u64,
) -> Vec<LaunchSamples> {
    let model = |empty| Model {
        ops: 100,
        slope: false,
        rounds: 10,
        cycles_per_op: 37_000.0,
        empty,
        ..Model::default()
    };
    let mut launches = model(0.125).launches("x", count);
    for (slow, launch) in model(0.25)
        .launches("x", contended)
        .into_iter()
        .zip(&mut launches)
    {
        launch.empty = slow.empty;
    }
    for launch in &mut launches {
        let mut rng = Rng::new(launch.seed);
        let mut buckets = BTreeMap::new();
        let mut of = Calls {
            reading_ticks: vec![60, 70, 65],
            step_ticks: 26,
            ..Calls::default()
        };
        for _ in 0..calls {
            let own = ticks(&mut rng);
            *buckets.entry(Calls::bucket(own)).or_insert(0) += 1;
            of.longest_ticks = of.longest_ticks.max(own);
        }
        (of.ticks, of.count) = buckets.into_iter().unzip();
        launch.calls = Some(Box::new(of));
    }
    launches
}

#[test]
fn a_percentile_whose_launches_differ_by_more_than_half_has_no_estimate() {
    // A launch has short calls, or long ones.
    let mut launches = launches(20, 2_000, 0, |_| SHORT);
    for launch in launches.iter_mut().step_by(2) {
        let calls = launch.calls.as_mut().expect("calls");
        calls.ticks = vec![Calls::bucket(LONG)];
    }
    let p50 = result(&launches, Metric::P50);
    assert_eq!(p50.estimate, Err(Absence::TooScattered));
    assert!(p50.lower.expect("an end") < nanos(SHORT as f64 + 700.0));
    assert!(p50.upper.expect("an end") > nanos(LONG as f64 - 700.0));
}

/// Up to a thousand ticks more than a short or a long call.
pub(crate) fn mixture(rng: &mut Rng) -> u64 {
    let bits = rng.next_u64();
    let base = if bits.is_multiple_of(20) { LONG } else { SHORT };
    base + (bits >> 32) % 1_000
}

#[test]
fn percentiles_of_a_mixture_are_those_of_its_parts() {
    let all = launches(20, 10_000, 0, mixture);
    let found = |metric| result(&all, metric);
    for (metric, truth) in [
        // Of the short calls, which are 0.95, the one at 0.5 / 0.95; of the long ones that at 0.04 / 0.05.
        (Metric::P50, SHORT as f64 + 1_000.0 * 0.5 / 0.95),
        (Metric::P90, SHORT as f64 + 1_000.0 * 0.9 / 0.95),
        (Metric::P99, LONG as f64 + 1_000.0 * 0.8),
        (Metric::P999, LONG as f64 + 1_000.0 * 0.98),
    ] {
        let result = found(metric);
        let (estimate, truth) = (result.estimate.unwrap(), nanos(truth));
        assert!(
            (estimate / truth - 1.0).abs() < 0.001,
            "{metric:?}: {estimate} {truth}"
        );
        assert!(
            result.lower.unwrap() <= truth && truth <= result.upper.unwrap(),
            "{metric:?}"
        );
        assert_eq!(
            (result.scope, &*result.method),
            (Scope::Processes, PERCENTILES)
        );
        assert!(result.confidence.unwrap() >= 0.99);
        assert_eq!((result.launches, result.samples), (20, 200_000));
        // What is subtracted from nothing is shown: one reading of the clock.
        assert_eq!(result.fixed_cost, Some(nanos(65.0)));
    }
    let longest = found(Metric::Max);
    assert!(longest.estimate.unwrap() > nanos(LONG as f64 + 990.0));
    assert_eq!(
        (longest.lower, longest.upper, longest.confidence),
        (None, None, None)
    );
    // The time of the batches stays as it is.
    assert!(found(Metric::Time).estimate.is_ok());
}

#[test]
fn a_percentile_needs_ten_calls_beyond_it_in_every_launch() {
    let mut all = launches(20, 1_000, 0, mixture);
    assert!(result(&all, Metric::P99).estimate.is_ok());
    assert_eq!(
        result(&all, Metric::P999).estimate,
        Err(Absence::TooFewCalls)
    );
    // A launch with too few is a slow one, and not discarded.
    all[3] = launches(1, 999, 0, mixture).remove(0);
    assert_eq!(
        result(&all, Metric::P99).estimate,
        Err(Absence::TooFewCalls)
    );
    assert!(result(&all, Metric::P90).estimate.is_ok());
}

#[test]
fn contended_launches_are_discarded_except_from_the_maximum() {
    let slow = |rng: &mut Rng| 2 * mixture(rng);
    let mut all = launches(20, 1_000, 5, mixture);
    for (index, launch) in launches(5, 1_000, 0, slow).into_iter().enumerate() {
        all[index].calls = launch.calls;
    }
    let p50 = result(&all, Metric::P50);
    assert_eq!(p50.launches, 15);
    assert!(p50.upper.unwrap() < nanos(SHORT as f64 + 700.0));
    let longest = result(&all, Metric::Max);
    assert_eq!(longest.launches, 20);
    assert!(longest.estimate.unwrap() > nanos(2.0 * LONG as f64));
    // Nearly all began contended, and ended before a call.
    for launch in &mut all[2..] {
        launch.batches = Batches::default();
        launch.calls = None;
    }
    for launch in &mut all[..2] {
        launch
            .empty
            .clone_from(&launches(1, 1_000, 0, mixture)[0].empty);
    }
    assert_eq!(
        result(&all, Metric::P50).estimate,
        Err(Absence::MachineBusy)
    );
}

#[test]
fn few_launches_have_no_interval() {
    let seven = launches(7, 1_000, 0, mixture);
    let p50 = result(&seven, Metric::P50);
    assert_eq!(
        (p50.scope, p50.lower, p50.upper),
        (Scope::Process, None, None)
    );
    assert!(p50.estimate.is_ok());
}

#[test]
fn calls_of_less_than_a_hundred_readings_have_no_figure() {
    // A reading takes 65 ticks, an op in the batches 25,900.
    let mut all = launches(20, 1_000, 0, mixture);
    for launch in &mut all {
        let calls = launch.calls.as_deref_mut().unwrap();
        calls.reading_ticks = vec![258];
    }
    assert!(result(&all, Metric::P50).estimate.is_ok());
    for launch in &mut all {
        let calls = launch.calls.as_deref_mut().unwrap();
        calls.reading_ticks = vec![260];
    }
    let found = results(&all);
    assert_eq!(found.len(), 7);
    for result in &found {
        assert_eq!(
            result.estimate,
            Err(Absence::CallsTooShort),
            "{:?}",
            result.metric
        );
        assert_eq!((result.lower, result.upper), (None, None));
    }
    let least_ns = nanos(26_000.0);
    assert!(
        found[0].notes.contains(&Note::CallsTooShort { least_ns }),
        "{:?}",
        found[0].notes
    );
    // And so with the steps of a coarse clock.
    for launch in &mut all {
        let calls = launch.calls.as_deref_mut().unwrap();
        (calls.reading_ticks, calls.step_ticks) = (vec![26], 261);
    }
    assert_eq!(
        result(&all, Metric::P50).estimate,
        Err(Absence::CallsTooShort)
    );
}

#[test]
fn a_schedule_is_noted_and_so_is_one_that_was_not_held() {
    let mut all = launches(20, 1_000, 0, mixture);
    let mut notes = |per_second: f64| {
        for (index, launch) in all.iter_mut().enumerate() {
            let calls = launch.calls.as_deref_mut().unwrap();
            calls.per_second = Some(per_second);
            (calls.late, calls.backlog) = (100, index as u64);
        }
        result(&all, Metric::Time).notes
    };
    let held = notes(50_000.0);
    let scheduled = |per_second| Note::Scheduled {
        per_second,
        late: 0.1,
        backlog: 19,
    };
    assert!(held.contains(&scheduled(50_000.0)), "{held:?}");
    assert!(!held.contains(&Note::RateNotHeld {
        per_second: 50_000.0
    }));
    // A call takes 9.96 µs by itself.
    let per_second = 101_000.0;
    assert!(notes(per_second).contains(&Note::RateNotHeld { per_second }));
}

#[test]
fn short_calls_have_no_rough_figure_either() {
    let mut all = launches(20, 1_000, 0, mixture);
    for launch in all.iter_mut().step_by(2) {
        for ticks in &mut launch.batches.ticks {
            *ticks *= 5;
        }
    }
    let scattered = results(&all);
    assert_eq!(scattered[0].estimate, Err(Absence::TooScattered));
    assert!(scattered[0].rough.is_some());
    for launch in &mut all {
        let calls = launch.calls.as_deref_mut().unwrap();
        calls.reading_ticks = vec![1_000];
    }
    for result in results(&all) {
        let found = (result.estimate, result.rough);
        assert_eq!(found, (Err(Absence::CallsTooShort), None));
    }
}
