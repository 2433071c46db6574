//! Cycles that hardware counted, and those of the reference chain of the same batches.

use tourbillon_analysis::synthetic::Model;
use tourbillon_analysis::{BY_COUNTER, METHOD};
use tourbillon_record::{Absence, CaseResult, LaunchSamples, Metric};

use crate::estimates::result;

/// Twenty launches of a body of 100 cycles, on a core whose chain reads 2 % too many ticks to a cycle; a
/// counter has so many cycles of an op.
fn launches(model: &Model, counted: f64) -> Vec<LaunchSamples> {
    let mut launches = model.launches("x", 20);
    for launch in &mut launches {
        let chain = launch.chain.as_mut().unwrap();
        for (short, long) in chain.short_ticks.iter().zip(&mut chain.long_ticks) {
            *long += (*long - short) / 50;
        }
        for kind in &launch.batches.kind {
            let cycles = (u64::from(*kind) * launch.batch_shape.items) as f64 * counted;
            launch.batches.cycles.push(150 + cycles as u64);
        }
    }
    launches
}

fn figures(result: &CaseResult) -> (&str, f64, f64) {
    (&result.method, result.estimate.unwrap(), result.systematic)
}

#[test]
fn what_was_counted_is_the_figure() {
    let model = Model {
        core: (0.7, 0.000_3),
        ..Model::default()
    };
    let cycles = result(&launches(&model, 100.0), Metric::Cycles);
    let (method, estimate, systematic) = figures(&cycles);
    assert_eq!((method, estimate), (BY_COUNTER, 100.0));
    assert_eq!((cycles.launches, cycles.fixed_cost), (20, Some(150.0)));
    // The loop's residue is left, a sixth of an eighth of a cycle, and nothing of the chain.
    assert!((systematic - 0.125 / 6.0).abs() < 0.001, "{systematic}");
    assert_eq!(cycles.mad, Some(0.0));
    let time = result(&launches(&model, 100.0), Metric::Time);
    assert_eq!(time.method, METHOD);
}

#[test]
fn one_launch_without_a_counter_is_enough_for_the_chain() {
    let mut launches = launches(&Model::default(), 100.0);
    launches[13].batches.cycles.clear();
    let cycles = result(&launches, Metric::Cycles);
    let (method, estimate, systematic) = figures(&cycles);
    assert_eq!((method, cycles.launches), (METHOD, 20));
    assert!((estimate - 100.0 / 1.02).abs() < 0.01, "{estimate}");
    assert!(systematic > 0.06, "{systematic}");
    // And one that lost a part of them.
    let mut torn = self::launches(&Model::default(), 100.0);
    torn[3].batches.cycles.pop();
    assert_eq!(result(&torn, Metric::Cycles).method, METHOD);
}

#[test]
fn a_counter_that_sees_a_part_of_the_time_is_not_believed() {
    // The rest is spent in the kernel.
    for (counted, method) in [
        (88.0, METHOD),
        (89.0, BY_COUNTER),
        (107.0, BY_COUNTER),
        (109.0, METHOD),
    ] {
        let cycles = result(&launches(&Model::default(), counted), Metric::Cycles);
        assert_eq!(cycles.method, method, "{counted}");
    }
}

#[test]
fn an_empty_body_stays_below_the_resolution() {
    let model = Model {
        cycles_per_op: 0.125,
        ops: 80_000,
        ..Model::default()
    };
    let cycles = result(&launches(&model, 0.125), Metric::Cycles);
    assert_eq!(cycles.method, BY_COUNTER);
    assert_eq!(cycles.estimate, Err(Absence::BelowResolution));
}

#[test]
fn half_the_fixed_cost_bounds_the_error_without_long_batches() {
    let model = Model {
        slope: false,
        ops: 1,
        cycles_per_op: 1_000_000.0,
        ..Model::default()
    };
    let cycles = result(&launches(&model, 1_000_000.0), Metric::Cycles);
    let (method, estimate, systematic) = figures(&cycles);
    assert_eq!((method, estimate), (BY_COUNTER, 1_000_000.0));
    assert!((75.0..76.0).contains(&systematic), "{systematic}");
}
