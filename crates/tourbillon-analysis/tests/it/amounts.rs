//! Estimates of launches that measured something else than wall time.

use tourbillon_analysis::synthetic::Model;
use tourbillon_record::{
    Absence, CaseResult, LaunchSamples, Measured, Metric, Note, OwnMetric, Scale, ScaleUnit, Scope,
};

use crate::estimates::results;

/// What the batches of launches came to: `amount` of the launch, the batch's kind and its number.
pub(crate) fn measured(
    launches: Vec<LaunchSamples>,
    metric: Metric,
    step_ns: Option<u64>,
    amount: impl Fn(u32, u8, usize) -> f64,
) -> Vec<LaunchSamples> {
    let own = (metric == Metric::Own).then(|| OwnMetric {
        name: "lost".to_owned(),
        unit: "retries".to_owned(),
        ..OwnMetric::default()
    });
    let with = |mut launch: LaunchSamples| {
        let kinds = launch.batches.kind.iter().enumerate();
        launch.measured = Some(Box::new(Measured {
            metric,
            own: own.clone(),
            step_ns,
            first_call: 7.0,
            amounts: kinds
                .map(|(at, kind)| amount(launch.launch, *kind, at))
                .collect(),
            ..Measured::default()
        }));
        launch
    };
    launches.into_iter().map(with).collect()
}

fn only(launches: &[LaunchSamples]) -> CaseResult {
    let results = results(launches);
    assert_eq!(results.len(), 1, "cycles are of wall time: {results:?}");
    results.into_iter().next().unwrap()
}

#[test]
fn time_of_processors_goes_the_way_of_time() {
    // 12 ns an op, 300 ns a batch, and one batch in nine with a lot more.
    let amount = |_, kind: u8, at: usize| {
        f64::from(kind) * 12_000.0 + 300.0 + if at % 9 == 4 { 50_000.0 } else { 0.0 }
    };
    let launches = Model::default().launches("x", 20);
    let result = only(&measured(launches, Metric::CpuTime, None, amount));
    assert_eq!(
        (result.metric, result.scope),
        (Metric::CpuTime, Scope::Processes)
    );
    assert_eq!(result.estimate, Ok(12.0));
    assert_eq!(result.fixed_cost, Some(300.0));
    assert_eq!(result.first_call, Some(7.0));
    assert_eq!(result.method, "near-slopes-2");
    assert_eq!((result.launches, result.unit()), (20, "ns"));
    // The error of the clock is unknown.
    assert!(result.systematic >= 12.0 * 5e-4, "{}", result.systematic);
    let (lower, upper) = (result.lower.unwrap(), result.upper.unwrap());
    assert!(
        lower < 12.0 && 12.0 < upper && upper < 12.1,
        "{lower} {upper}"
    );
}

#[test]
fn a_sleeping_body_is_not_taken_for_a_long_one() {
    // 70 000 ticks of wall time an op, next to nothing of it on a processor.
    let sleeping = Model {
        cycles_per_op: 100_000.0,
        ..Model::default()
    };
    let launches = sleeping.launches("x", 20);
    let wall = results(&launches)[0].estimate.unwrap();
    let amount = |_, kind: u8, _| f64::from(kind) * 1_000_000.0;
    let result = only(&measured(launches, Metric::CpuTime, None, amount));
    assert_eq!(result.estimate, Ok(1_000.0));
    assert!(wall > 26_000.0, "{wall}");
}

/// One op of a thousand is tried again: most short batches of 100 ops come to nothing.
#[test]
fn rare_numbers_are_averaged_and_not_lost() {
    let model = Model {
        ops: 100,
        rounds: 40,
        ..Model::default()
    };
    let amount = |launch: u32, kind: u8, at: usize| {
        let tried_again = at % 20 == 1 + launch as usize % 3 && kind > 0;
        if tried_again { 1.0 } else { 0.0 }
    };
    let launches = measured(model.launches("x", 20), Metric::Own, None, amount);
    let all: f64 = launches
        .iter()
        .flat_map(|launch| &launch.measured.as_ref().unwrap().amounts)
        .sum();
    let truth = all / (20.0 * 40.0 * 300.0);
    let result = only(&launches);
    assert_eq!((result.metric_name(), result.unit()), ("lost", "retries"));
    assert_eq!(result.method, "totals-1");
    let estimate = result.estimate.unwrap();
    assert!(
        (estimate / truth - 1.0).abs() < 0.2,
        "{estimate} of {truth}"
    );
    assert!(result.lower.unwrap() <= truth && truth <= result.upper.unwrap());
    assert_eq!((result.systematic, result.resolution), (0.0, None));
}

#[test]
fn units_of_numbers_are_kept() {
    let of = |name: &str| {
        Scale(vec![ScaleUnit {
            unit: name.to_owned(),
            ..ScaleUnit::default()
        }])
    };
    let launches = Model::default().launches("x", 2);
    let mut launches = measured(launches, Metric::Own, None, |_, _, _| 1.0);
    for launch in &mut launches {
        let measured = launch.measured.as_mut().expect("amounts");
        (measured.units, measured.rates) = (of("tries"), of("tries/s"));
    }
    let result = only(&launches);
    assert_eq!((result.units, result.rates), (of("tries"), of("tries/s")));
}

#[test]
fn a_number_that_is_nothing_is_nothing() {
    let launches = Model::default().launches("x", 20);
    let result = only(&measured(launches, Metric::Own, None, |_, _, _| 0.0));
    let figures = (result.estimate, result.lower, result.upper);
    assert_eq!(figures, (Ok(0.0), Some(0.0), Some(0.0)));
    assert_eq!(result.notes, []);
}

#[test]
fn sums_of_fractions_are_as_good_as_their_rounding() {
    let amount = |launch: u32, kind: u8, _| {
        let rounding = 1.0 + f64::from(launch) * f64::EPSILON;
        f64::from(kind) * 420.5 * rounding
    };
    let launches = Model::default().launches("x", 20);
    let result = only(&measured(launches, Metric::Own, None, amount));
    assert!(result.lower.unwrap() <= 0.4205 && 0.4205 <= result.upper.unwrap());
    assert!(result.upper.unwrap() - result.lower.unwrap() < 1e-9);
    assert_eq!(result.notes, []);
}

/// 16 looks in a launch of one batch.
fn looked(found: impl Fn(u32) -> f64) -> CaseResult {
    let model = Model {
        ops: 1_000,
        slope: false,
        rounds: 1,
        ..Model::default()
    };
    let amount = |launch, kind: u8, _| f64::from(kind) * found(launch) * 4e6;
    let launches = measured(
        model.launches("x", 8),
        Metric::KernelTime,
        Some(4_000_000),
        amount,
    );
    only(&launches)
}

#[test]
fn time_attributed_in_steps_is_an_average_with_a_note() {
    let result = looked(|launch| f64::from(6 + launch % 3));
    assert_eq!(result.metric, Metric::KernelTime);
    assert_eq!(result.estimate, Ok(28_000.0));
    let ends = (result.lower.unwrap(), result.upper.unwrap());
    assert!(ends.0 <= 24_000.0 && ends.1 >= 32_000.0, "{ends:?}");
    assert_eq!(result.method, "totals-1");
    // A step of the system, per op.
    assert_eq!(result.resolution, Some(4_000.0));
    let ticks = (result.elapsed_ns / 4e6) as u64;
    let step_ns = 4e6;
    assert!(result.notes.contains(&Note::Sampled { step_ns, ticks }));
}

#[test]
fn less_than_a_step_in_a_launch_is_a_bound() {
    let result = looked(|_| 0.0);
    assert_eq!(result.estimate, Err(Absence::BelowResolution));
    assert_eq!((result.lower, result.upper), (None, Some(4_000.0)));
    let result = looked(|launch| if launch == 3 { 2.0 } else { 0.0 });
    assert_eq!(result.estimate, Err(Absence::BelowResolution));
    assert!(result.upper.unwrap() >= 8_000.0, "{result:?}");
}
