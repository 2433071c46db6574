//! What is below the resolution, and what must never be called so.

use tourbillon_analysis::synthetic::Model;
use tourbillon_record::{Absence, CaseResult, Metric};

use crate::estimates::result;

fn of(cycles_per_op: f64, launches: u32) -> [CaseResult; 2] {
    let model = Model {
        cycles_per_op,
        ops: 200_000,
        process_spread: 0.002,
        ..Model::default()
    };
    let launches = model.launches("x", launches);
    [Metric::Time, Metric::Cycles].map(|metric| result(&launches, metric))
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
    let cycles = result(&model.launches("x", 8), Metric::Cycles);
    assert!(cycles.lower.unwrap() < 0.3, "{cycles:?}");
    assert_eq!(cycles.estimate, Err(Absence::TooScattered));
    // So does what the empty loop reads.
    let mut least = f64::INFINITY;
    for seed in 0..100 {
        let model = Model {
            empty_spread: 0.15,
            seed,
            ..model.clone()
        };
        let cycles = result(&model.launches("x", 8), Metric::Cycles);
        least = least.min(cycles.lower.unwrap());
        assert_ne!(cycles.estimate, Err(Absence::BelowResolution), "{seed}");
    }
    assert!(least < 0.1, "{least}");
}

/// How many of the seeded repeats find a body of this cost below the resolution.
fn hidden(cycles_per_op: f64, spread: f64, launches: u32, repeats: u64) -> u64 {
    let below = |seed: &u64| {
        let model = Model {
            cycles_per_op,
            ops: 200_000,
            rounds: 8,
            process_spread: spread,
            empty_spread: spread,
            seed: *seed,
            ..Model::default()
        };
        let result = result(&model.launches("x", launches), Metric::Cycles);
        result.estimate == Err(Absence::BelowResolution)
    };
    (0..repeats).filter(below).count() as u64
}

#[test]
fn nothing_is_always_below_and_a_third_of_a_cycle_never() {
    // By so much processes differ, the body's and the empty loop's each for itself.
    for (launches, spread) in [(1, 0.1), (3, 0.1), (8, 0.15), (20, 0.01), (20, 0.15)] {
        let hidden = |cycles| hidden(cycles, spread, launches, 1_000);
        assert_eq!(hidden(0.125), 1_000, "{launches} launches");
        assert_eq!(hidden(1.0 / 3.0), 0, "{launches} launches");
        assert_eq!(hidden(1.0), 0, "{launches} launches");
    }
}

#[test]
fn an_empty_loop_that_no_clock_tick_falls_into_hides_nothing_but_nothing() {
    let of = |cycles_per_op, launches| {
        let model = Model {
            cycles_per_op,
            ops: 200_000,
            empty: 0.0,
            ..Model::default()
        };
        result(&model.launches("x", launches), Metric::Cycles).estimate
    };
    for launches in [1, 20] {
        assert_eq!(of(0.0, launches), Err(Absence::BelowResolution));
        assert!((of(1.0, launches).unwrap() - 1.0).abs() < 0.003);
    }
}

#[test]
fn a_fraction_of_a_cycle_above_the_empty_loop_is_seen() {
    let [_, cycles] = of(0.25, 20);
    assert!((cycles.estimate.unwrap() - 0.25).abs() < 0.002);
}

#[test]
fn contention_for_less_than_a_quarter_of_the_time_hides_no_body() {
    // In four of twenty rounds the loop takes as long as a body of 0.225 cycles would; the body does not.
    for launches in [3, 8] {
        let model = Model {
            cycles_per_op: 1.0 / 3.0,
            ops: 200_000,
            ..Model::default()
        };
        let mut launches = model.launches("x", launches);
        for launch in &mut launches {
            let empty = &mut launch.empty;
            for reading in 0..2 {
                let longer = (empty.long_ticks[reading] - empty.short_ticks[reading]) * 4 / 5;
                empty.short_ticks[reading] += longer;
                empty.long_ticks[reading] += 2 * longer;
            }
        }
        let cycles = result(&launches, Metric::Cycles);
        assert!((cycles.estimate.unwrap() - 1.0 / 3.0).abs() < 0.002);
        let resolution = cycles.resolution.unwrap();
        assert!((resolution - 0.125).abs() < 0.001, "{resolution}");
    }
}
