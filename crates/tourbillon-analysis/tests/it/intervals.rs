//! Intervals of launches whose truth is known.

use tourbillon_analysis::synthetic::{Model, frequency};
use tourbillon_analysis::{Rules, Tally, estimate};
use tourbillon_record::{Absence, Metric, Scope};
use tourbillon_stats::Confidence;

use crate::estimates::{assert_close, assert_covers, nanos, result, results};

#[test]
fn one_slow_launch_is_in_the_record_and_not_in_the_interval() {
    let mut launches = Model {
        process_spread: 0.001,
        ..Model::default()
    }
    .launches("x", 20);
    launches[7] = Model {
        cycles_per_op: 161.0,
        ..Model::default()
    }
    .launches("x", 8)
    .remove(7);
    let time = result(&launches, Metric::Time);
    assert_close(time.estimate.unwrap(), nanos(70.0), 0.001);
    assert!(time.upper.unwrap() < nanos(71.0));
    assert!(time.mean.unwrap() > nanos(71.0));
}

#[test]
fn too_few_launches_cover_their_processes_only() {
    let model = Model {
        process_spread: 0.05,
        ..Model::default()
    };
    for count in [1, 2, 7] {
        let launches = model.launches("x", count);
        let time = result(&launches, Metric::Time);
        assert_eq!((time.launches, time.scope), (count, Scope::Process));
        assert!(time.confidence.unwrap() >= 0.99);
        // It spans what its processes read.
        for launch in launches {
            assert_covers(&time, result(&[launch], Metric::Time).estimate.unwrap());
        }
    }
    assert_eq!(
        result(&model.launches("x", 8), Metric::Time).scope,
        Scope::Processes
    );
}

#[test]
fn no_interval_reaches_below_nothing_or_is_wider_than_the_figure() {
    // Launches between nothing and twice the cost.
    let launches = Model {
        process_spread: 1.0,
        ..Model::default()
    }
    .launches("x", 9);
    let time = result(&launches, Metric::Time);
    assert_eq!(time.estimate, Err(Absence::TooScattered));
    let (lower, upper) = (time.lower.unwrap(), time.upper.unwrap());
    assert!(lower >= 0.0 && upper > lower, "{lower} {upper}");
    let steady = Model {
        process_spread: 0.3,
        ..Model::default()
    };
    let time = result(&steady.launches("x", 9), Metric::Time);
    let half_width = (time.upper.unwrap() - time.lower.unwrap()) / 2.0;
    assert!(half_width < 0.5 * time.estimate.unwrap());
    // An op that takes next to nothing among batches that scatter.
    let mut launches = Model {
        cycles_per_op: 0.001,
        empty: 0.0,
        ops: 10,
        ..Model::default()
    }
    .launches("x", 20);
    for (index, launch) in launches.iter_mut().enumerate() {
        for (at, ticks) in launch.batches.ticks.iter_mut().enumerate() {
            *ticks += (7 * at as u64 + 3 * index as u64) % 40;
        }
    }
    for result in results(&launches) {
        assert!(result.lower.is_none_or(|lower| lower >= 0.0), "{result:?}");
    }
}

#[test]
fn few_rounds_have_the_confidence_that_they_have() {
    let model = Model {
        slope: false,
        ops: 1,
        cycles_per_op: 1e6,
        ..Model::default()
    };
    let confidence = |rounds, launches| {
        let launches = Model {
            rounds,
            ..model.clone()
        }
        .launches("x", launches);
        let time = result(&launches, Metric::Time);
        assert!(time.estimate.is_ok());
        assert_eq!(time.confidence.is_some(), time.lower.is_some());
        time.confidence
    };
    assert_eq!(confidence(3, 1), Some(0.75));
    assert_eq!(confidence(1, 1), None);
    assert_eq!(confidence(1, 3), Some(0.75));
    assert_eq!(confidence(5, 2), Some(0.9375));
    // The least sure launch decides.
    let mut launches = model.launches("x", 2);
    launches[1] = Model {
        rounds: 3,
        ..model.clone()
    }
    .launches("x", 2)
    .remove(1);
    assert_eq!(result(&launches, Metric::Time).confidence, Some(0.75));
}

#[test]
fn the_interval_of_a_process_holds_its_own_estimate() {
    // 17 of 20 rounds say 1010 ticks, so the interval of the rounds alone is [1010, 1010]. The slopes
    // between a round and the next ones are of other ticks as well.
    for (low, high, changed, second) in [(11, 9, 1_000, 1_210), (9, 11, 1_200, 810)] {
        let shorts = [vec![1_000; low], vec![1_200; high]].concat();
        let mut left = 3;
        let mut ticks = Vec::new();
        for short in shorts {
            let is_changed = short == changed && left > 0;
            left -= u64::from(is_changed);
            ticks.extend([short, short + if is_changed { second } else { 1_010 }]);
        }
        let mut launches = Model {
            ops: 1,
            ..Model::default()
        }
        .launches("x", 1);
        launches[0].batches = tourbillon_record::Batches {
            kind: [1, 2].repeat(20),
            ticks,
            ..tourbillon_record::Batches::default()
        };
        let time = result(&launches, Metric::Time);
        assert_covers(&time, nanos(1_010.0));
        assert_covers(&time, time.estimate.unwrap());
    }
}

#[test]
fn one_of_several_looks_asks_for_more() {
    let launches = Model {
        process_spread: 0.02,
        ..Model::default()
    }
    .launches("x", 16);
    let rules = Rules {
        frequency: frequency(),
        confidence: Confidence::P99,
        core_cache_bytes: None,
    };
    let width = |looks| {
        let tally = Tally {
            looks,
            ..Tally::default()
        };
        let time = estimate("x", &launches, &tally, &rules).remove(0);
        time.upper.unwrap() - time.lower.unwrap()
    };
    // [x3, x14] of 16 is 99.58 %: enough for 99 %, too little for a third of the error.
    assert!(width(true) > width(false));
}

#[test]
fn the_clock_and_the_chain_widen_the_interval() {
    let launches = Model::default().launches("x", 20);
    let with = |error_ppm| {
        let rules = Rules {
            frequency: tourbillon_analysis::Frequency {
                error_ppm,
                ..frequency()
            },
            confidence: Confidence::P99,
            core_cache_bytes: None,
        };
        estimate("x", &launches, &Tally::default(), &rules).remove(0)
    };
    let (sure, unsure, unknown) = (with(Some(0.0)), with(Some(100.0)), with(None));
    assert_close(
        unsure.systematic - sure.systematic,
        nanos(70.0) * 1e-4,
        1e-6,
    );
    assert_close(
        unknown.systematic - sure.systematic,
        nanos(70.0) * 5e-4,
        1e-6,
    );
    assert_close(
        unsure.upper.unwrap() - sure.upper.unwrap(),
        nanos(70.0) * 1e-4,
        1e-6,
    );
    let cycles = result(&launches, Metric::Cycles);
    assert!(cycles.systematic > 100.0 * 5e-4 && cycles.systematic < 0.1);
}
