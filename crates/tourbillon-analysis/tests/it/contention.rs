//! Which launches are contended.

use tourbillon_analysis::synthetic::{Model, contend, frequency};
use tourbillon_analysis::{Rules, Tally, contended, contended_share, estimate};
use tourbillon_record::{Absence, LaunchSamples, Measured, Metric, OwnMetric};
use tourbillon_stats::Confidence;

#[test]
fn bodies_that_are_longer_than_a_batch_are_judged_by_three_readings() {
    // The empty loop is read after every other round.
    let share = |rounds| {
        let model = Model {
            cycles_per_op: 3e6,
            ops: 1,
            slope: false,
            rounds,
            ..Model::default()
        };
        let mut launches = model.launches("a", 20);
        for launch in &mut launches[..5] {
            contend(launch, 1.9, 0.0);
        }
        contended_share(&launches)
    };
    assert_eq!(share(5), Some(0.25));
    assert_eq!(share(4), None);
}

#[test]
fn launches_are_judged_one_by_one() {
    let mut launches = Model::default().launches("a", 6);
    contend(&mut launches[1], 1.9, 0.0);
    contend(&mut launches[4], 1.3, 0.0);
    assert_eq!(
        contended(&launches),
        [false, true, false, false, true, false]
    );
    assert_eq!(contended_share(&launches), Some(1.0 / 3.0));
    // Two launches are too few.
    assert_eq!(contended(&launches[..2]), [false, false]);
    assert_eq!(contended_share(&launches[..2]), None);
    for launch in &mut launches {
        launch.empty = tourbillon_record::Empty::default();
    }
    assert_eq!(contended_share(&launches), None);
}

/// Reads all probes of launches by a clock that advances by so many ticks at a time, and is read in whole ticks.
fn coarsen(launches: &mut [LaunchSamples], step: f64) {
    let mut now = 0.0;
    for launch in launches {
        let chain = launch.chain.as_mut().unwrap();
        for column in [
            &mut launch.empty.short_ticks,
            &mut launch.empty.long_ticks,
            &mut chain.short_ticks,
            &mut chain.long_ticks,
        ] {
            for ticks in column {
                now += 1_317.77;
                let reading = |at: f64| ((at / step).floor() * step) as u64;
                *ticks = reading(now + *ticks as f64) - reading(now);
            }
        }
    }
}

#[test]
fn by_a_clock_with_coarse_steps_no_launch_is_judged() {
    // A turn of the empty loop of 1024 cycles is 717 ticks.
    let mut launches = Model::default().launches("a", 20);
    coarsen(&mut launches, 26.3);
    assert_eq!(contended_share(&launches), Some(0.0));
    // 279.4 ns, as of `acpi_pm`.
    coarsen(&mut launches, 726.35);
    assert_eq!(contended_share(&launches), None);
    assert_eq!(contended(&launches), [false; 20]);
    // A tick of the clock is itself a seventh of a turn.
    let model = Model {
        core: (0.007, 0.0),
        ..Model::default()
    };
    assert_eq!(contended_share(&model.launches("a", 20)), None);
}

#[test]
fn without_a_quiet_launch_the_range_of_all_holds_the_truth() {
    // The body takes 1.2 times as long, a turn of the empty loop 1.3 to 1.9 times; an op has 100 cycles.
    let results = |launches: &[LaunchSamples]| {
        let rules = Rules {
            frequency: frequency(),
            confidence: Confidence::P99,
            core_cache_bytes: None,
        };
        estimate("a", launches, &Tally::default(), &rules)
    };
    let mut launches = Model::default().launches("a", 20);
    let quiet = results(&launches);
    assert!(
        quiet
            .iter()
            .all(|result| result.estimate.is_ok() && result.rough.is_none())
    );
    for (at, launch) in launches.iter_mut().enumerate() {
        contend(launch, 1.3 + 0.03 * at as f64, 0.0);
    }
    let busy = results(&launches);
    let [time, cycles] = &busy[..] else {
        panic!("{busy:?}");
    };
    for (result, quiet) in [(time, &quiet[0]), (cycles, &quiet[1])] {
        assert_eq!(result.estimate, Err(Absence::MachineBusy));
        let (rough, truth) = (result.rough.expect("a range"), quiet.estimate.unwrap());
        assert!(
            rough.lower < truth && truth < rough.upper,
            "{rough:?} {truth}"
        );
        assert!(rough.is_narrow() && rough.upper < 1.25 * truth, "{rough:?}");
    }
    // Too few launches for a figure, and quiet ones: no range is needed.
    assert!(
        results(&launches[..0])
            .iter()
            .all(|result| result.rough.is_none())
    );
}

#[test]
fn a_measurement_that_is_a_duration_is_protected_and_a_count_is_not() {
    let launches = |unit: &str, terminal: &str| {
        let mut launches = Model::default().launches("a", 20);
        for launch in &mut launches[..6] {
            contend(launch, 1.5, 0.0);
        }
        for launch in &mut launches {
            let amounts = launch.batches.ticks.iter().map(|ticks| *ticks as f64);
            launch.terminal = terminal.to_owned();
            launch.measured = Some(Box::new(Measured {
                metric: Metric::Own,
                own: Some(OwnMetric {
                    name: "Mine".to_owned(),
                    unit: unit.to_owned(),
                    ..OwnMetric::default()
                }),
                amounts: amounts.collect(),
                ..Measured::default()
            }));
        }
        launches
    };
    let estimated = |launches: &[LaunchSamples]| {
        let rules = Rules {
            frequency: frequency(),
            confidence: Confidence::P99,
            core_cache_bytes: None,
        };
        estimate("a", launches, &Tally::default(), &rules).remove(0)
    };
    // An op takes 100 cycles of 0.7 ticks; the fixed cost cancels.
    let time = estimated(&launches("ns", "iter"));
    assert_eq!(time.launches, 14, "{time:?}");
    assert!((time.estimate.unwrap() - 70.0).abs() < 0.01, "{time:?}");
    let of_body = estimated(&launches("ns", "measure"));
    assert_eq!(of_body.launches, 14, "{of_body:?}");
    assert_eq!(estimated(&launches("retries", "iter")).launches, 20);
}
