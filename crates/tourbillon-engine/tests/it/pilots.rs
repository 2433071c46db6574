//! How the pilot finds the length of a batch, on a clock whose every reading is known.

use std::num::NonZeroU64;
use std::time::Duration;

use tourbillon_engine::{Iterated, Kept, SelfTimed};
use tourbillon_record::{BatchShape, LaunchSamples, Plan};
use tourbillon_stats::Rng;

use crate::stage::{FIXED, about, launched, of_kind, plan, script};

/// The batches of a body that loops itself: each call costs `of_call` nanoseconds, give or take `varying` of it, and
/// each iteration `of_iteration`.
fn looped(of_call: u64, varying: f64, of_iteration: u64, seed: u64) -> LaunchSamples {
    let script = script();
    let advance = script.clone();
    let mut rng = Rng::new(seed);
    let body = |iterations: u64| {
        let share = 1.0
            + varying
                * (rng.below(NonZeroU64::new(2_001).expect("not zero")) as f64 / 1_000.0 - 1.0);
        let ns = (of_call as f64 * share) as u64 + of_iteration * iterations;
        advance.advance(ns);
        Duration::from_nanos(ns)
    };
    let mut arm = SelfTimed::new(body);
    let launch = launched(&mut arm, about(), &plan("case", 1), &script);
    assert!(of_kind(&launch, 0).is_empty());
    launch
}

#[test]
fn iterations_of_a_body_that_loops_itself_are_most_of_a_batch() {
    // A short batch has 66 666 ticks.
    for (of_call, of_iteration, items) in [
        (0, 100, 666),
        (50, 100, 666),
        (20_000, 100, 836),
        (200_000, 100, 8_037),
        (200_000, 5_000, 172),
        (10, 100_000, 1),
        (200_000, 50_000_000, 1),
    ] {
        let shape = looped(of_call, 0.0, of_iteration, 1).batch_shape;
        assert_eq!(
            (shape.items, shape.slope),
            (items, true),
            "{of_call} {of_iteration}"
        );
    }
    // The search ends, whatever the body does.
    for of_call in [40_000, 300_000, 20_000_000] {
        assert!(looped(of_call, 0.0, 0, 1).batch_shape.slope);
    }
}

#[test]
fn a_cost_that_varies_from_call_to_call_is_not_taken_for_iterations() {
    for of_call in [100_000, 500_000, 2_000_000] {
        for of_iteration in [50, 2_400, 50_000, 1_000_000] {
            for seed in 0..25 {
                let launch = looped(of_call, 0.6, of_iteration, seed);
                let inside = of_iteration * launch.batch_shape.items;
                assert!(
                    launch.batch_shape.slope && 4 * inside >= of_call,
                    "{of_call} {of_iteration} {seed}: {inside}"
                );
            }
        }
    }
}

#[test]
fn a_launch_searches_the_length_again_where_the_cost_of_a_call_hides_its_iterations() {
    let script = script();
    let advance = script.clone();
    let body = |iterations: u64| {
        let ns = 1_000_000 + 100 * iterations;
        advance.advance(ns);
        Duration::from_nanos(ns)
    };
    let given = BatchShape {
        slope: true,
        ..BatchShape::of_items(1_000)
    };
    let plan = Plan {
        batch_shape: Some(given),
        ..plan("case", 1)
    };
    let launch = launched(&mut SelfTimed::new(body), about(), &plan, &script);
    assert!(launch.batch_shape.items >= 40_000, "{launch:?}");
}

#[test]
fn one_interruption_does_not_end_the_pilot_early() {
    let steady = script();
    let hit = script().interruption(400, 1_000_000);
    let items = |script: &tourbillon_clock::Script| {
        let advance = script.clone();
        let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
        launched(&mut arm, about(), &plan("case", 1), script)
            .batch_shape
            .items
    };
    assert_eq!(items(&hit), items(&steady));
}

#[test]
fn the_length_of_the_pilot_launch_is_used_and_found_again_when_it_is_off() {
    let script = script();
    let advance = script.clone();
    let mut arm = Iterated::new(|| advance.advance(100), |()| Ok(()));
    let mut later = plan("case", 2);
    later.batch_shape = Some(BatchShape {
        windows: 1,
        items: 500,
        unroll: 1,
        slope: true,
    });
    let launch = launched(&mut arm, about(), &later, &script);
    assert_eq!(launch.batch_shape.items, 500);
    assert_eq!(launch.pilot.items, [500]);
    assert!(!launch.pilot_launch);
    later.batch_shape = Some(BatchShape {
        windows: 1,
        items: 50_000,
        unroll: 1,
        slope: true,
    });
    let launch = launched(&mut arm, about(), &later, &script);
    assert_eq!(launch.batch_shape.items, 664);
}

/// The length of the batches of a launch of a body that keeps outputs and takes so many nanoseconds.
fn kept(nanos: u64, given: Option<BatchShape>, seed: u64) -> BatchShape {
    let script = script();
    let advance = script.clone();
    let body = || {
        advance.advance(nanos);
        vec![0_u8]
    };
    let plan = Plan {
        batch_shape: given,
        budget_ns: 500_000,
        seed,
        ..plan("case", 1)
    };
    launched(
        &mut Kept::outputs(body, |_| Ok(())),
        about(),
        &plan,
        &script,
    )
    .batch_shape
}

#[test]
fn outputs_of_long_calls_are_alone_and_those_of_short_ones_are_together() {
    // The limit is a 64th of 66 666 ticks.
    for nanos in [1_500, 12_500, 30_000, 60_000, 66_000, 70_000, 130_000] {
        for seed in 0..5 {
            let shape = kept(nanos, None, seed);
            assert_eq!((shape.items, shape.slope), (1, false), "{nanos}");
            assert_eq!(shape.windows, (66_666 / (nanos + FIXED)).max(1), "{nanos}");
        }
    }
    for nanos in [700, 100] {
        for seed in 0..5 {
            let shape = kept(nanos, None, seed);
            assert_eq!((shape.items, shape.slope), (32, true), "{nanos}");
        }
    }
}

#[test]
fn near_the_limit_each_launch_has_a_draw_whatever_the_pilot_launch_found() {
    let alone = BatchShape {
        windows: 32,
        ..BatchShape::of_items(1)
    };
    let together = BatchShape {
        slope: true,
        windows: 2,
        ..BatchShape::of_items(32)
    };
    for (nanos, least, most) in [(875, 40, 90), (1_042, 120, 180), (1_250, 210, 260)] {
        for given in [None, Some(alone), Some(together)] {
            let all = (0..300).map(|seed| kept(nanos, given, seed));
            let count = all.filter(|shape| !shape.slope).count();
            assert!(
                (least..=most).contains(&count),
                "{nanos} {given:?}: {count}"
            );
        }
    }
}
