//! Estimates of launches whose truth is known.

use std::num::NonZeroU64;

use tourbillon_analysis::synthetic::{HZ, Model, frequency};
use tourbillon_analysis::{METHOD, Rules, Tally, estimate};
use tourbillon_record::{
    Absence, CaseResult, LaunchSamples, Metric, Note, Scope, Throughput, ThroughputUnit,
};
use tourbillon_stats::{Confidence, Rng};

pub(crate) fn results(launches: &[LaunchSamples]) -> Vec<CaseResult> {
    let rules = Rules {
        frequency: frequency(),
        confidence: Confidence::P99,
        core_cache_bytes: None,
    };
    estimate("x", launches, &Tally::default(), &rules)
}

pub(crate) fn result(launches: &[LaunchSamples], metric: Metric) -> CaseResult {
    let of = |result: &CaseResult| result.metric == metric;
    results(launches).into_iter().find(of).unwrap()
}

/// Nanoseconds of so many ticks.
pub(crate) fn nanos(ticks: f64) -> f64 {
    ticks * 1e9 / HZ as f64
}

pub(crate) fn assert_close(figure: f64, truth: f64, relative: f64) {
    let off = (figure / truth - 1.0).abs();
    assert!(off <= relative, "{figure} instead of {truth}: off by {off}");
}

pub(crate) fn assert_covers(result: &CaseResult, truth: f64) {
    let (lower, upper) = (result.lower.unwrap(), result.upper.unwrap());
    assert!(
        lower <= truth && truth <= upper,
        "[{lower}, {upper}] without {truth}"
    );
}

#[test]
fn the_fixed_cost_cancels() {
    for fixed_ticks in [0.0, 40.0, 5_000.0] {
        let model = Model {
            fixed_ticks,
            ..Model::default()
        };
        let launches = model.launches("x", 20);
        let time = result(&launches, Metric::Time);
        assert_close(time.estimate.unwrap(), nanos(70.0), 1e-6);
        assert!((time.fixed_cost.unwrap() - nanos(fixed_ticks)).abs() < 1.0);
        let cycles = result(&launches, Metric::Cycles);
        assert_close(cycles.estimate.unwrap(), 100.0, 1e-6);
        for one in [&time, &cycles] {
            assert_eq!((one.launches, one.scope), (20, Scope::Processes));
            assert!((one.confidence.unwrap() - 0.9974).abs() < 1e-4);
            assert_eq!(one.method, METHOD);
            assert!(one.notes.is_empty(), "{:?}", one.notes);
        }
        assert_covers(&time, nanos(70.0));
        assert_covers(&cycles, 100.0);
    }
}

#[test]
fn interruptions_do_not_move_the_median() {
    let model = Model {
        interrupted: NonZeroU64::new(8),
        process_spread: 0.002,
        ..Model::default()
    };
    let launches = model.launches("x", 20);
    let time = result(&launches, Metric::Time);
    // A mean would be 20 % off.
    assert_close(time.estimate.unwrap(), nanos(70.0), 0.002);
    assert_covers(&time, nanos(70.0));
    assert!(time.upper.unwrap() - time.lower.unwrap() < nanos(70.0) * 0.006);
}

#[test]
fn cycles_stand_still_while_the_core_wanders() {
    // Within a launch by 3 %, and between launches by another 14 %.
    let mut rng = Rng::new(5);
    let launches: Vec<LaunchSamples> = (0..20)
        .map(|launch| {
            let start = 0.63 + 0.09 * (rng.next_u64() as f64 / u64::MAX as f64);
            let model = Model {
                core: (start, 0.000_3),
                ..Model::default()
            };
            model.launches("x", launch + 1).remove(launch as usize)
        })
        .collect();
    let (time, cycles) = (
        result(&launches, Metric::Time),
        result(&launches, Metric::Cycles),
    );
    assert_close(cycles.estimate.unwrap(), 100.0, 5e-4);
    assert_covers(&cycles, 100.0);
    let width = |result: &CaseResult| {
        (result.upper.unwrap() - result.lower.unwrap()) / result.estimate.unwrap()
    };
    assert!(width(&cycles) < 0.006, "{}", width(&cycles));
    assert!(width(&time) > 5.0 * width(&cycles), "{}", width(&time));
}

#[test]
fn a_chain_reading_that_was_interrupted_changes_nothing() {
    let clean = Model::default().launches("x", 20);
    let mut hit = clean.clone();
    for launch in &mut hit {
        let chain = launch.chain.as_mut().unwrap();
        chain.long_ticks[5] += 60_000;
        chain.short_ticks[12] += 60_000;
    }
    let of = |launches| result(launches, Metric::Cycles).estimate.unwrap();
    assert_eq!(of(&clean), of(&hit));
}

#[test]
fn interruptions_of_a_tenth_of_the_batches_do_not_make_a_figure_long() {
    let model = Model {
        interrupted: NonZeroU64::new(10),
        process_spread: 0.0,
        core: (0.7, 0.000_02),
        ..Model::default()
    };
    let cycles = result(&model.launches("x", 20), Metric::Cycles);
    assert_close(cycles.estimate.unwrap(), 100.0, 2e-4);
}

#[test]
fn without_a_chain_there_are_no_cycles() {
    let mut launches = Model::default().launches("x", 20);
    for launch in &mut launches {
        launch.chain = None;
    }
    let [time] = &results(&launches)[..] else {
        panic!("cycles from nowhere");
    };
    assert_eq!(time.metric, Metric::Time);
}

#[test]
fn without_long_batches_the_fixed_cost_is_subtracted_and_half_of_it_bounds_the_error() {
    let model = Model {
        slope: false,
        ops: 1,
        cycles_per_op: 100_000.0,
        fixed_ticks: 300.0,
        process_spread: 0.000_1,
        ..Model::default()
    };
    let mut launches = model.launches("x", 20);
    let time = result(&launches, Metric::Time);
    assert_close(time.estimate.unwrap(), nanos(70_000.0), 2e-4);
    assert_close(time.fixed_cost.unwrap(), nanos(300.0), 1e-9);
    assert!(time.systematic >= nanos(150.0) && time.systematic < nanos(160.0));
    assert_covers(&time, nanos(70_000.0));
    // Calls that take less than it have no figure, however many launches there are.
    let short = Model {
        cycles_per_op: 300.0,
        ..model.clone()
    };
    let time = result(&short.launches("x", 20), Metric::Time);
    assert_eq!(time.estimate, Err(Absence::CallsTooShort));
    let least_ns = time.fixed_cost.unwrap();
    assert!(time.notes.contains(&Note::CallsTooShort { least_ns }));
    // Without batches of no iterations either, what an empty loop costs besides its ops.
    for launch in &mut launches {
        let kept = launch
            .batches
            .kind
            .iter()
            .map(|kind| *kind != 0)
            .collect::<Vec<bool>>();
        let mut kept_ticks = kept.iter();
        launch.batches.ticks.retain(|_| *kept_ticks.next().unwrap());
        launch.batches.kind.retain(|kind| *kind != 0);
    }
    let time = result(&launches, Metric::Time);
    assert!((time.fixed_cost.unwrap() - nanos(40.0)).abs() < 1.0);
    assert_close(time.estimate.unwrap(), nanos(70_260.0), 2e-4);
}

#[test]
fn a_launch_that_uses_the_slope_counts_from_five_rounds_on() {
    let of = |rounds| {
        let mut launches = Model::default().launches("x", 8);
        launches[3] = Model {
            rounds,
            ..Model::default()
        }
        .launches("x", 1)
        .remove(0);
        result(&launches, Metric::Cycles).launches
    };
    assert_eq!((of(0), of(1), of(4), of(5)), (7, 7, 7, 8));
    let short = Model {
        rounds: 4,
        ..Model::default()
    };
    let none = results(&short.launches("x", 20));
    assert_eq!(none[0].estimate, Err(Absence::TooScattered));
}

#[test]
fn pauses_are_taken_out() {
    let model = Model {
        pauses: Some((1_000, 55)),
        ..Model::default()
    };
    let launches = model.launches("x", 20);
    let time = result(&launches, Metric::Time);
    assert_close(time.estimate.unwrap(), nanos(70.0), 1e-6);
    assert!(time.notes.is_empty(), "{:?}", time.notes);
    // The error of the correction is part of the systematic part.
    let mut unsure = launches.clone();
    for launch in &mut unsure {
        launch.pauses.as_mut().unwrap().residual_ticks =
            (0..9).map(|reading| 5_100 + 100 * reading).collect();
    }
    let unsure = result(&unsure, Metric::Time);
    assert!(unsure.systematic > time.systematic + nanos(0.5));
    assert_close(unsure.estimate.unwrap(), nanos(70.0), 1e-6);
    // An error above the figure does not mean that calls are too short.
    let mut unknown = Model {
        pauses: Some((1_000, 400)),
        ..model
    }
    .launches("x", 20);
    for launch in &mut unknown {
        launch.pauses.as_mut().unwrap().residual_ticks =
            (0..9).map(|reading| 10_000 * reading).collect();
    }
    let unknown = result(&unknown, Metric::Time);
    assert_eq!(unknown.estimate, Err(Absence::TooScattered));
}

#[test]
fn counts_are_those_of_the_record() {
    let launches = Model {
        ops: 500,
        rounds: 5,
        ..Model::default()
    }
    .launches("x", 3);
    let time = result(&launches, Metric::Time);
    assert_eq!(time.samples, 3 * 5 * 2);
    assert_eq!(time.iterations, 3 * 5 * 3 * 500);
    assert_eq!(time.ops, time.iterations);
    let ticks: u64 = launches
        .iter()
        .flat_map(|launch| &launch.batches.ticks)
        .sum();
    assert_close(time.elapsed_ns, nanos(ticks as f64), 1e-12);
    assert_close(time.first_call.unwrap(), nanos(500.0), 1e-12);
}

#[test]
fn the_throughput_is_with_the_main_metric() {
    let throughput = Some(Throughput {
        unit: ThroughputUnit::Items,
        per_op: 7,
    });
    let mut launches = Model::default().launches("x", 3);
    // A launch that failed early may lack it.
    for launch in &mut launches[1..] {
        launch.throughput = throughput;
    }
    assert_eq!(result(&launches, Metric::Time).throughput, throughput);
    assert_eq!(result(&launches, Metric::Cycles).throughput, None);
}

#[test]
fn a_body_that_counts_itself_is_called_once_a_batch() {
    let launches = |terminal: &str, ops_per_iteration| {
        let mut launches = Model {
            ops: 500,
            rounds: 5,
            ..Model::default()
        }
        .launches("x", 3);
        for launch in &mut launches {
            launch.terminal = terminal.to_owned();
            launch.ops_per_iteration = ops_per_iteration;
        }
        result(&launches, Metric::Time)
    };
    for terminal in ["iter_n", "iter_controlled", "isolated.iter_n"] {
        let time = launches(terminal, 1);
        assert_eq!((time.iterations, time.samples), (3 * 5 * 2, 3 * 5 * 2));
        assert_eq!(time.ops, 3 * 5 * 3 * 500, "{terminal}");
    }
    // Where the count is part of the problem, a batch is many calls.
    let fixed = launches("iter_fixed", 7);
    assert_eq!(fixed.iterations, 3 * 5 * 3 * 500);
    assert_eq!(fixed.ops, 7 * fixed.iterations);
}

#[test]
fn a_round_in_which_the_clock_went_backwards_is_discarded() {
    let clean = Model::default().launches("x", 20);
    let expected = results(&clean);
    let mut backwards = clean;
    let (mut lost, mut lost_ticks) = (0, 0);
    for launch in &mut backwards {
        let batches = &mut launch.batches;
        // The first batch of some calls, and so its round of three.
        let first = batches.kind.iter().position(|kind| *kind > 0).unwrap();
        lost += u64::from(batches.kind[first]);
        lost_ticks += batches.ticks[first];
        batches.ticks[first] = 100_u64.wrapping_sub(5_000);
    }
    let found = results(&backwards);
    for (found, expected) in found.iter().zip(&expected) {
        // Every round of a model is the same, so that nothing else changes; what is no reading
        // was not measured.
        assert_eq!(found.samples, expected.samples - 20);
        assert_eq!(found.iterations, expected.iterations - lost * 1_000);
        assert_eq!(found.ops, found.iterations);
        assert_close(
            found.elapsed_ns,
            expected.elapsed_ns - nanos(lost_ticks as f64),
            1e-9,
        );
        let (found, expected) = (found.estimate.unwrap(), expected.estimate.unwrap());
        assert_close(found, expected, 1e-9);
    }
    // Its other batches are not used either, though they would say the same as always: here the
    // long batches of the other rounds say something else.
    let mut launches = Model {
        ops: 1,
        ..Model::default()
    }
    .launches("x", 1);
    launches[0].batches = tourbillon_record::Batches {
        kind: [1, 2].repeat(6),
        ticks: [vec![u64::MAX - 3, 1_000], [1_000, 2_500].repeat(5)].concat(),
        ..tourbillon_record::Batches::default()
    };
    let time = result(&launches, Metric::Time);
    assert_close(time.estimate.unwrap(), nanos(1_500.0), 1e-9);
    assert_eq!((time.samples, time.iterations), (11, 17));
}

#[test]
fn an_interrupted_short_batch_makes_no_negative_mean() {
    let mut launches = Model::default().launches("x", 1);
    let quiet = result(&launches, Metric::Time);
    let batches = &mut launches[0].batches;
    let short = batches.kind.iter().position(|kind| *kind == 1).unwrap();
    batches.ticks[short] += 20_000_000;
    let hit = result(&launches, Metric::Time);
    assert_close(hit.estimate.unwrap(), quiet.estimate.unwrap(), 1e-9);
    // Of 20 rounds of 3000 ops each, and not taken off.
    let longer = nanos(20_000_000.0 / 60_000.0);
    assert_close(hit.mean.unwrap(), quiet.mean.unwrap() + longer, 1e-9);
}

#[test]
fn the_order_of_the_launches_does_not_matter() {
    let mut launches = Model {
        process_spread: 0.03,
        ..Model::default()
    }
    .launches("x", 20);
    let forwards = results(&launches);
    Rng::new(9).shuffle(&mut launches);
    let mut shuffled = results(&launches);
    for (result, before) in shuffled.iter_mut().zip(&forwards) {
        // A sum of times in another order: the last bits differ.
        assert_close(result.elapsed_ns, before.elapsed_ns, 1e-12);
        result.elapsed_ns = before.elapsed_ns;
    }
    assert_eq!(forwards, shuffled);
}

#[test]
fn hostile_records_make_no_figures() {
    let launch = Model::default().launches("x", 1).remove(0);
    let breaks: [fn(&mut LaunchSamples); 7] = [
        |launch| launch.batches = tourbillon_record::Batches::default(),
        |launch| launch.batches.kind.fill(9),
        |launch| launch.batches.kind.fill(2),
        |launch| launch.batch_shape.items = 0,
        |launch| launch.ops_per_iteration = 0,
        |launch| launch.batches.ticks.clear(),
        |launch| launch.batches.kind.fill(0),
    ];
    for broken in breaks {
        let mut launch = launch.clone();
        broken(&mut launch);
        let [only] = &results(&[launch])[..] else {
            panic!("two results");
        };
        assert_eq!(only.estimate, Err(tourbillon_record::Absence::TooScattered));
    }
    let extremes: [fn(&mut LaunchSamples); 7] = [
        |launch| launch.batches.ticks.fill(u64::MAX),
        |launch| launch.batches.ticks.fill(0),
        |launch| launch.batch_shape.windows = u64::MAX,
        |launch| launch.chain.as_mut().unwrap().long_ticks.fill(u64::MAX),
        |launch| launch.chain.as_mut().unwrap().at.clear(),
        |launch| launch.empty.long_ticks.fill(u64::MAX),
        |launch| launch.empty.ops = 0,
    ];
    for extreme in extremes {
        let mut launch = launch.clone();
        extreme(&mut launch);
        for result in results(&[launch]) {
            let figures = [
                result.estimate.ok(),
                result.lower,
                result.upper,
                result.mean,
            ];
            assert!(figures.iter().flatten().all(|figure| figure.is_finite()));
            assert!(result.systematic.is_finite() && result.elapsed_ns.is_finite());
        }
    }
}
