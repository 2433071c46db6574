//! Growth of time with size, on curves that are known.

use tourbillon_analysis::sweep::{Compatible, Model, Point, Refused, Sweep};
use tourbillon_stats::Rng;

/// Points whose intervals are 0.2 % on either side, moved by at most 0.1 %.
fn points(sizes: &[f64], time: impl Fn(f64) -> f64) -> Vec<Point> {
    let mut rng = Rng::new(11);
    let mut point = |&size: &f64| {
        let share = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let time = time(size) * (1.0 + 0.001 * (2.0 * share - 1.0));
        Point {
            size,
            time,
            lower: time * 0.998,
            upper: time * 1.002,
        }
    };
    sizes.iter().map(&mut point).collect()
}

fn doublings(first: i32, last: i32) -> Vec<f64> {
    (first..=last).map(|power| 2_f64.powi(power)).collect()
}

fn sweep(time: impl Fn(f64) -> f64) -> Sweep {
    Sweep::of(&points(&doublings(6, 20), time)).unwrap()
}

fn models(sweep: &Sweep) -> Vec<Model> {
    sweep
        .models
        .iter()
        .map(|compatible| compatible.model)
        .collect()
}

#[test]
fn each_model_is_named_alone() {
    for model in Model::ALL {
        let found = sweep(|n| 3.0 * model.at(n));
        if model == Model::Constant {
            // A coefficient that may be zero rejects no model.
            assert!(found.allows(model), "{found:?}");
        } else {
            assert_eq!(models(&found), [model]);
        }
        assert_eq!(found.kinks, []);
        let own = model
            .exponent(found.exponent.from, found.exponent.to)
            .unwrap();
        assert!(found.exponent.lower <= own && own <= found.exponent.upper);
    }
}

#[test]
fn a_constant_is_named_where_it_is_needed() {
    let [with] = sweep(|n| 30.0 + n.log2()).models[..] else {
        panic!("one model");
    };
    assert_eq!(with.model, Model::Log);
    assert!((with.constant.unwrap() - 30.0).abs() < 1.0, "{with:?}");
    let without = sweep(|n| 5.0 * n).models;
    let linear = Compatible {
        model: Model::Linear,
        constant: None,
    };
    assert_eq!(without, [linear]);
}

#[test]
fn caches_are_kinks_and_no_growth() {
    let found = sweep(|n| n * if n < 8_000.0 { 1.0 } else { 1.9 });
    assert_eq!(models(&found), [Model::Linear]);
    let [kink] = found.kinks[..] else {
        panic!("{:?}", found.kinks);
    };
    assert_eq!((kink.from, kink.to), (4096.0, 8192.0));
    assert!((kink.factor - 1.9).abs() < 0.02, "{kink:?}");
    assert!((found.exponent.value - 1.0).abs() < 0.01, "{found:?}");
    assert!(!found.exceeds(Model::Linear));
}

/// The figures of a quiet run on Zen 4, in nanoseconds per op: the standard library's stable sort from 256 items on, and a
/// selection sort from 64 on. Launches differ by less than what either has besides its leading term.
#[test]
fn textbook_sorts_have_their_model() {
    let points = |first: u32, times: &[f64]| -> Vec<Point> {
        let sizes = (first..).map(|power| f64::from(1_u32 << power));
        let points = sizes.zip(times).map(|(size, &time)| Point {
            size,
            time,
            lower: time * 0.994,
            upper: time * 1.006,
        });
        points.collect()
    };
    let std_sort = [
        2_645.53,
        5_688.97,
        12_047.93,
        25_553.03,
        53_750.0,
        112_059.3,
        232_496.06,
        487_110.04,
        1_009_000.0,
    ];
    let found = Sweep::of(&points(8, &std_sort)).unwrap();
    assert_eq!(models(&found), [Model::LogLinear]);
    let selection = [
        2_599.32,
        8_009.06,
        26_093.84,
        89_983.94,
        326_991.71,
        1_263_500.67,
    ];
    let found = Sweep::of(&points(6, &selection)).unwrap();
    assert_eq!(models(&found), [Model::Square]);
    assert!(!found.exceeds(Model::Square));
}

#[test]
fn caches_that_end_slowly_are_no_growth() {
    let found = sweep(|n| n * 1.5_f64.powf(((n.log2() - 14.0) / 6.0).max(0.0)));
    assert!(found.allows(Model::Linear), "{found:?}");
    assert!(!found.exceeds(Model::Linear));
}

#[test]
fn a_size_that_is_uncertain_decides_nothing() {
    let mut points = points(&doublings(6, 12), |n| n * n);
    let last = &mut points[6];
    last.time *= 1.7;
    (last.lower, last.upper) = (last.time / 3.0, last.time * 3.0);
    let found = Sweep::of(&points).unwrap();
    assert_eq!(models(&found), [Model::Square]);
    assert!(!found.exceeds(Model::Square));
}

#[test]
fn growth_that_is_no_model_has_an_exponent_only() {
    for power in [0.5, 1.5, 2.5] {
        let found = sweep(|n| n.powf(power));
        assert_eq!(found.models, []);
        let exponent = found.exponent;
        assert!(
            exponent.lower <= power && power <= exponent.upper,
            "{exponent:?}"
        );
    }
}

#[test]
fn lower_order_terms_vanish() {
    let sizes: Vec<f64> = (0..6).map(|k| 100.0 * f64::from(1 << k)).collect();
    let found = Sweep::of(&points(&sizes, |n| n * n + 86.0 * n)).unwrap();
    assert!(found.allows(Model::Square), "{found:?}");
    assert!(found.exceeds(Model::LogLinear) || found.allows(Model::LogLinear));
}

#[test]
fn limits_are_exceeded_by_faster_growth_only() {
    let square = Sweep::of(&points(&doublings(7, 12), |n| n * n)).unwrap();
    for model in Model::ALL {
        assert_eq!(square.exceeds(model), model < Model::Square, "{model}");
    }
    let exponential = Sweep::of(&points(&[4.0, 8.0, 12.0, 16.0, 20.0, 64.0], f64::exp2)).unwrap();
    assert!(exponential.exceeds(Model::Cube), "{exponential:?}");
}

#[test]
fn too_few_sizes_and_too_short_spans_are_refused() {
    let time = |n: f64| n;
    let five = points(&doublings(6, 10), time);
    assert_eq!(Sweep::of(&five), Err(Refused::Sizes { got: 5, needed: 6 }));
    let mut twice = five.clone();
    twice.extend(five);
    assert_eq!(Sweep::of(&twice), Err(Refused::Sizes { got: 5, needed: 6 }));
    let near: Vec<f64> = (10..20).map(f64::from).collect();
    let (got, needed) = (1.9, 16.0);
    let refused = Err(Refused::Span { got, needed });
    assert_eq!(Sweep::of(&points(&near, time)), refused);
    assert!(Sweep::of(&points(&doublings(6, 11), time)).is_ok());
}

#[test]
fn order_and_unusable_points_do_not_matter() {
    let mut points = points(&doublings(6, 20), |n| n * n.log2());
    let expected = Sweep::of(&points).unwrap();
    points.reverse();
    for size in [0.0, -4.0, f64::NAN, f64::INFINITY] {
        points.push(Point { size, ..points[0] });
    }
    let lower = -1.0;
    points.push(Point {
        size: 3.0,
        lower,
        ..points[0]
    });
    assert_eq!(Sweep::of(&points).unwrap(), expected);
}
