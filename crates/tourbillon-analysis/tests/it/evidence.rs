//! p-values of hypotheses about rounds whose truth is known.

use tourbillon_analysis::{Criteria, Design, evidence};
use tourbillon_record::Rounds;
use tourbillon_stats::PValue;

/// Rounds in which the second arm takes so many per mille more, give or take six, and a round in
/// `dropped` has no usable reading.
fn rounds(more: u64, count: u64, dropped: u64) -> Rounds {
    let mut rounds = Rounds {
        cases: vec!["a".into(), "b".into()],
        ops: vec![100, 100],
        fixed_ticks: vec![0, 0],
        ..Rounds::default()
    };
    for round in 0..count {
        for arm in 0..2 {
            rounds.round.push(round);
            rounds.arm.push(arm);
            let own = u64::from(arm) * (more + round * 7 % 13);
            rounds.ticks.push(match round % dropped {
                0 => 0,
                _ => 1_000_000 - 6_000 * u64::from(arm) + 1_000 * own,
            });
        }
    }
    rounds
}

fn criteria(margin: f64) -> Criteria {
    Criteria {
        margin,
        ..Criteria::FUNCTIONS
    }
}

#[test]
fn a_false_hypothesis_has_a_small_p_value() {
    let found = [rounds(30, 64, 100)];
    let against = |margin| evidence(Design::Functions, &found, 0, 1, criteria(margin)).get();
    assert!(against(0.01) < 1e-8, "{}", against(0.01));
    assert!(against(0.03) > 0.2, "{}", against(0.03));
    assert_eq!(against(0.06), 1.0);
    assert_eq!(
        evidence(Design::Functions, &found, 1, 0, criteria(0.0)),
        PValue::ONE
    );
}

#[test]
fn later_looks_count_for_less() {
    // All agree: 2^-63 at the first look, whose part is 6 / pi^2, whatever comes later.
    let at = |count| {
        evidence(
            Design::Functions,
            &[rounds(30, count, 1_000)],
            0,
            1,
            criteria(0.0),
        )
        .get()
    };
    let first = 0.5_f64.powi(63) * std::f64::consts::PI.powi(2) / 6.0;
    assert!(at(64) < 10.0 * first.max(1e-12));
    assert!(at(128) <= at(64));
    // A few that are not enough for their interval are evidence all the same, and no more.
    let few = evidence(
        Design::Functions,
        &[rounds(30, 5, 1_000)],
        0,
        1,
        criteria(0.0),
    )
    .get();
    assert!(
        (few - std::f64::consts::PI.powi(2) / 6.0 / 16.0).abs() < 1e-9,
        "{few}"
    );
}

#[test]
fn where_nothing_may_be_decided_there_is_no_evidence() {
    assert_eq!(
        evidence(Design::Functions, &[rounds(30, 64, 2)], 0, 1, criteria(0.0)),
        PValue::ONE
    );
    assert_eq!(
        evidence(Design::Functions, &[Rounds::default()], 0, 1, criteria(0.0)),
        PValue::ONE
    );
    assert_eq!(
        evidence(Design::Builds, &[], 0, 1, criteria(0.0)),
        PValue::ONE
    );
}

#[test]
fn a_pair_of_processes_is_one_value() {
    let launches: Vec<Rounds> = (0..16).map(|own| rounds(20 + own, 32, 100)).collect();
    let found = evidence(Design::Builds, &launches, 0, 1, criteria(0.01)).get();
    // All 16 agree, at the first look.
    let expected = 0.5_f64.powi(16) * std::f64::consts::PI.powi(2) / 6.0;
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
}
