//! Verdicts on commands: pairs of processes of one round.

use std::num::NonZeroU64;

use tourbillon_analysis::{Criteria, Design, Frequency, judge, settled};
use tourbillon_record::{Finding, Rounds};
use tourbillon_stats::Rng;

const GIGAHERTZ: Frequency = Frequency {
    numerator: NonZeroU64::new(1_000_000_000).unwrap(),
    denominator: NonZeroU64::MIN,
    error_ppm: None,
};

/// Rounds of commands that take so many nanoseconds, each scattered by up to 10 %, with a load that makes all of
/// them take three times as long from half-way on.
fn rounds(seed: u64, count: u64, times: &[f64]) -> Rounds {
    let mut rng = Rng::new(seed);
    let arms = times.len();
    let mut rounds = Rounds {
        cases: (0..arms).map(|arm| format!("command {arm}")).collect(),
        ops: vec![1; arms],
        fixed_ticks: vec![0; arms],
        lead_in: 1,
        ..Rounds::default()
    };
    let mut order: Vec<usize> = (0..arms).collect();
    for round in 0..count {
        rng.shuffle(&mut order);
        for &arm in &order {
            let noise = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            let load = if round >= count / 2 { 3.0 } else { 1.0 };
            rounds.round.push(round);
            rounds.arm.push(arm as u8);
            rounds
                .ticks
                .push((load * times[arm] * (1.0 + 0.1 * noise)) as u64);
        }
    }
    rounds
}

fn finding(rounds: &Rounds, arm: usize, criteria: Criteria) -> Finding {
    let launch = std::slice::from_ref(rounds);
    judge(Design::Commands, launch, 0, arm, criteria, &GIGAHERTZ).finding
}

#[test]
fn a_difference_is_found_and_load_half_way_changes_nothing() {
    for seed in 0..50 {
        let found = rounds(seed, 400, &[1e6, 1.05e6, 0.95e6, 1e6]);
        assert_eq!(finding(&found, 1, Criteria::COMMANDS), Finding::Slower);
        assert_eq!(finding(&found, 2, Criteria::COMMANDS), Finding::Faster);
        let equal = finding(&found, 3, Criteria::COMMANDS);
        assert!(
            matches!(equal, Finding::Same | Finding::Undecided),
            "{equal:?}"
        );
    }
}

#[test]
fn copies_are_hardly_ever_called_different() {
    // With no margin and an error of 5 %, at most 50 of 1 000 on average; 80 is beyond four standard errors.
    let criteria = Criteria {
        margin: 0.0,
        error: 0.05,
        ..Criteria::COMMANDS
    };
    let is_wrong = |seed: &u64| {
        let found = finding(&rounds(*seed, 64, &[1e6, 1e6]), 1, criteria);
        matches!(found, Finding::Faster | Finding::Slower)
    };
    let wrong = (0..1_000).filter(is_wrong).count();
    assert!(wrong > 0 && wrong <= 80, "{wrong}");
}

#[test]
fn looks_are_made_after_so_many_rounds() {
    let settled_after = |count| {
        let rounds = rounds(1, count, &[1e6, 2e6]);
        settled(Design::Commands, &[rounds], Criteria::COMMANDS)
    };
    let due: Vec<u64> = (1..40).filter(|count| settled_after(*count)).collect();
    assert_eq!(due, [16, 24, 36]);
    assert!(!settled(Design::Commands, &[], Criteria::COMMANDS));
}

#[test]
fn several_commands_share_the_error_and_there_is_no_control() {
    let found = rounds(3, 100, &[1e6, 1e6, 1e6]);
    let launch = std::slice::from_ref(&found);
    let verdict = judge(
        Design::Commands,
        launch,
        0,
        2,
        Criteria::COMMANDS,
        &GIGAHERTZ,
    );
    // Three pairs of commands.
    assert!((verdict.confidence - (1.0 - 0.001 / 3.0)).abs() < 1e-12);
    assert_eq!((verdict.control, verdict.interference), (None, None));
    assert_eq!((verdict.launches, verdict.placements), (100, 1));
    assert_eq!(verdict.case, "command 2");
    assert!((verdict.margin - 0.01).abs() < 1e-12);
    assert_eq!(Design::of_verdict(&verdict), Design::Commands);
}

#[test]
fn a_round_that_was_cut_off_does_not_count() {
    let mut cut = rounds(3, 101, &[1e6, 1.5e6]);
    cut.round.pop();
    cut.arm.pop();
    cut.ticks.pop();
    let launch = std::slice::from_ref(&cut);
    let verdict = judge(
        Design::Commands,
        launch,
        0,
        1,
        Criteria::COMMANDS,
        &GIGAHERTZ,
    );
    assert_eq!(verdict.finding, Finding::Slower);
    assert!(verdict.pairs <= 100);
}
