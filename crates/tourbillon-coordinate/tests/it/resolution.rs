//! What is below the resolution, and what must never be called so.

use tourbillon_record::{Absence, CaseResult, Metric};

use crate::estimates::result;
use crate::synthetic::Model;

fn of(cycles_per_op: f64, launches: u32) -> [CaseResult; 2] {
    let model = Model {
        cycles_per_op,
        ops: 200_000,
        process_spread: 0.002,
        ..Model::default()
    };
    let visits = model.visits("x", launches);
    [Metric::Time, Metric::Cycles].map(|metric| result(&visits, metric))
}

#[test]
fn an_empty_body_is_below_and_keeps_its_bound() {
    for launches in [1, 20] {
        for result in of(0.125, launches) {
            assert_eq!(result.estimate, Err(Absence::BelowResolution));
            assert_eq!(result.lower, None);
            assert!(result.upper.unwrap() >= result.resolution.unwrap());
            assert!(result.upper.unwrap() < 2.0 * result.resolution.unwrap());
        }
    }
    let [_, cycles] = of(0.0, 20);
    assert_eq!(cycles.estimate, Err(Absence::BelowResolution));
    assert!((cycles.resolution.unwrap() - 0.125).abs() < 0.001);
}

#[test]
fn a_body_of_one_cycle_is_never_empty() {
    for launches in [1, 3, 8, 20] {
        let [time, cycles] = of(1.0, launches);
        assert!((cycles.estimate.unwrap() - 1.0).abs() < 0.003);
        assert!(time.estimate.is_ok());
        let (lower, upper) = (cycles.lower.unwrap(), cycles.upper.unwrap());
        assert!(
            lower <= 1.0 && upper >= 1.0 && upper - lower < 0.06,
            "[{lower}, {upper}]"
        );
    }
}

#[test]
fn not_even_where_the_noise_is_wider_than_the_body() {
    // Processes differ by three times the body: the interval reaches below the empty loop.
    let model = Model {
        cycles_per_op: 1.0,
        ops: 200_000,
        process_spread: 0.95,
        ..Model::default()
    };
    let cycles = result(&model.visits("x", 8), Metric::Cycles);
    assert!(cycles.lower.unwrap() < 0.3, "{cycles:?}");
    assert!(cycles.estimate.is_ok());
}

#[test]
fn a_fraction_of_a_cycle_above_the_empty_loop_is_seen() {
    let [_, cycles] = of(0.25, 20);
    assert!((cycles.estimate.unwrap() - 0.25).abs() < 0.002);
}
