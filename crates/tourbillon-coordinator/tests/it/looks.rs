//! Precision: looks at 20, 40 and 80 launches.

use tourbillon_analysis::synthetic::Model;
use tourbillon_coordinator::runner::CaseSettings;
use tourbillon_record::{CaseOptions, Metric, Note};

use crate::stage::{Played, measure, play, settings};

fn with_spread(spread: f64, precision: Option<f64>) -> Played {
    let common = CaseSettings {
        options: CaseOptions {
            precision,
            ..CaseOptions::NONE
        },
        ..CaseSettings::default()
    };
    play(&["a"], &settings(common), move |plan, act| {
        let model = Model {
            process_spread: spread,
            ..Model::default()
        };
        measure(&model, plan, act);
    })
}

fn half_width(played: &Played) -> f64 {
    let time = played.result("a", Metric::Time);
    (time.upper.unwrap() - time.lower.unwrap()) / 2.0 / time.estimate.unwrap()
}

#[test]
fn a_narrow_interval_ends_at_the_first_look() {
    let played = with_spread(0.001, Some(0.01));
    assert_eq!(played.begun("a"), 20);
    assert!(half_width(&played) < 0.01);
}

#[test]
fn a_wide_one_gets_a_second_and_a_third() {
    let wide = with_spread(0.02, None);
    let at_twenty = half_width(&wide);
    assert_eq!(wide.begun("a"), 20);
    // With 20 it was too wide, with 40 it is narrow enough.
    let second = with_spread(0.02, Some(at_twenty * 0.9));
    assert_eq!(second.begun("a"), 40);
    assert!(half_width(&second) <= at_twenty * 0.9);
    let third = with_spread(0.02, Some(0.000_1));
    assert_eq!(third.begun("a"), 80);
    assert!(half_width(&third) > 0.000_1);
    let missed = |played: &Played| {
        let notes = &played.result("a", Metric::Time).notes;
        notes.contains(&Note::Imprecise { precision: 0.000_1 })
    };
    assert!(missed(&third));
    assert!(!missed(&second) && !missed(&wide));
}

#[test]
fn the_looks_share_the_error() {
    let plain = with_spread(0.02, None);
    let looked = with_spread(0.02, Some(0.5));
    let confidence = |played: &Played| played.result("a", Metric::Time).confidence.unwrap();
    // [x4, x17] of 20 in both: 99.74 % each, and 99 % for three such looks together.
    assert!((confidence(&plain) - 0.9974).abs() < 1e-4);
    assert!((confidence(&looked) - 0.99).abs() < 1e-9);
    assert_eq!(half_width(&plain), half_width(&looked));
}

#[test]
fn only_the_case_that_needs_it_is_looked_at_again() {
    let common = CaseSettings {
        options: CaseOptions {
            precision: Some(0.005),
            ..CaseOptions::NONE
        },
        ..CaseSettings::default()
    };
    let played = play(&["narrow", "wide"], &settings(common), |plan, act| {
        let process_spread = if plan.case == "wide" { 0.05 } else { 0.0 };
        measure(
            &Model {
                process_spread,
                ..Model::default()
            },
            plan,
            act,
        );
    });
    assert_eq!((played.begun("narrow"), played.begun("wide")), (20, 80));
}
