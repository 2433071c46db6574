//! Cases that are compared in a run.

use std::collections::BTreeMap;

use tourbillon_analysis::synthetic::Model;
use tourbillon_coordinator::runner::{Act, CaseSettings, Comparison, Ending, Outcome};
use tourbillon_record::{Finding, LaunchSamples, Line, Plan};

use crate::stage::{Played, measure, play_compared, settings};

fn comparison(reference: &str, candidates: &[&str], limit: Option<f64>) -> Comparison {
    Comparison {
        reference: reference.to_owned(),
        candidates: candidates.iter().map(|id| (*id).to_owned()).collect(),
        limit,
    }
}

/// A run of cases that take so many cycles an op, give or take a share of it from process to process.
fn compared(bodies: &'static [(&'static str, f64, f64)], comparisons: &[Comparison]) -> Played {
    let ids: Vec<&str> = bodies.iter().map(|(id, ..)| *id).collect();
    let settings = settings(CaseSettings::default());
    play_compared(&ids, comparisons, &settings, move |plan, act| {
        let (_, cycles_per_op, process_spread) =
            bodies.iter().find(|(id, ..)| *id == plan.case).unwrap();
        let model = Model {
            cycles_per_op: *cycles_per_op,
            process_spread: *process_spread,
            ..Model::default()
        };
        // Chance is the same for all cases of a block; what a body makes of it is not.
        let seed = plan.seed ^ u64::from(plan.case.as_bytes()[0]) << 32;
        measure(
            &model,
            &Plan {
                seed,
                ..plan.clone()
            },
            act,
        );
    })
}

/// The order of the cases in each block.
fn blocks(played: &Played) -> BTreeMap<u32, Vec<&str>> {
    let mut blocks: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (plan, _) in &played.plans {
        blocks.entry(plan.launch).or_default().push(&plan.case);
    }
    blocks
}

#[test]
fn a_verdict_is_made_of_the_launches_of_the_table() {
    let played = compared(
        &[("a", 100.0, 0.001), ("b", 110.0, 0.001)],
        &[comparison("a", &["b"], None)],
    );
    let [verdict] = &played.outcome.verdicts[..] else {
        panic!("{:?}", played.outcome.verdicts);
    };
    assert_eq!(verdict.finding, Finding::Slower, "{verdict:?}");
    assert!((verdict.ratio.unwrap() - 1.1).abs() < 0.002);
    // Twenty launches each were enough.
    assert_eq!(
        (played.begun("a"), played.begun("b"), verdict.launches),
        (20, 20, 20)
    );
    let first = |id: &str| {
        blocks(&played)
            .values()
            .filter(|block| block[0] == id)
            .count()
    };
    assert!(first("a") > 3 && first("b") > 3);
    // The launches of a block have the same draws, and are numbered by it.
    for (plan, draw) in &played.plans {
        let same = |(other, _): &&(Plan, _)| other.launch == plan.launch;
        for (other, of_other) in played.plans.iter().filter(same) {
            assert_eq!((other.seed, of_other), (plan.seed, draw));
        }
    }
    // It comes after the last launch and before the end.
    let verdicts = played
        .log
        .lines
        .iter()
        .filter(|line| matches!(line, Line::Verdict(_)));
    assert_eq!(verdicts.count(), 1);
    assert_eq!(played.outcome.end.exit_code, 0);
}

#[test]
fn what_is_open_gets_more_blocks_until_its_time_is_up() {
    let played = compared(
        &[("a", 100.0, 0.001), ("b", 200.0, 0.001), ("c", 103.0, 0.05)],
        &[comparison("a", &["b", "c"], None)],
    );
    let (reference, decided, open) = (played.begun("a"), played.begun("b"), played.begun("c"));
    assert_eq!(decided, 20);
    assert!(open > 36 && reference == open, "{reference} {open}");
    let found = |id: &str| {
        let of_case = played.outcome.verdicts.iter();
        of_case
            .clone()
            .find(|one| one.case == id && one.reference == "a")
            .unwrap()
    };
    assert_eq!(found("b").finding, Finding::Slower);
    assert!(found("b").launches == 20 && found("c").launches as usize == open);
    // Blocks take no longer than they may: two seconds here.
    assert!(
        played.outcome.end.wall_ns < 4_000_000_000,
        "{:?}",
        played.outcome.end
    );
}

#[test]
fn an_assertion_that_does_not_hold_is_an_exit_code() {
    let asserted = |limit| {
        let bodies = &[("a", 100.0, 0.001), ("b", 150.0, 0.001)];
        compared(bodies, &[comparison("a", &["b"], Some(limit))]).outcome
    };
    let finding = |outcome: &Outcome| outcome.assertions[0].finding;
    let broken = asserted(1.2);
    assert_eq!(
        (finding(&broken), broken.end.exit_code),
        (Finding::Slower, 3)
    );
    let kept = asserted(1.6);
    assert_eq!((finding(&kept), kept.end.exit_code), (Finding::Faster, 0));
    assert!(kept.verdicts.is_empty());
}

#[test]
fn a_case_that_fails_is_not_compared() {
    let ids = ["a", "b", "c"];
    let comparisons = [comparison("a", &["b", "c"], None)];
    let settings = settings(CaseSettings::default());
    let played = play_compared(&ids, &comparisons, &settings, |plan, act| {
        if plan.case == "b" && plan.launch > 2 {
            act(Act::End(Ending::Exited(1)));
        } else {
            measure(&Model::default(), plan, act);
        }
    });
    let compared: Vec<&str> = played
        .outcome
        .verdicts
        .iter()
        .map(|one| one.case.as_str())
        .collect();
    assert_eq!(compared, ["c"]);
    assert_eq!(played.outcome.end.exit_code, 3);
}

#[test]
fn a_comparison_of_a_case_that_is_not_run_is_none() {
    let bodies = &[("a", 100.0, 0.001), ("b", 150.0, 0.001)];
    let played = compared(bodies, &[comparison("a", &["elsewhere"], None)]);
    assert!(played.outcome.verdicts.is_empty());
}

#[test]
fn a_reference_with_many_candidates_takes_at_most_1_6_of_the_time_of_its_table() {
    const BODIES: &[(&str, f64, f64)] = &[
        ("A", 100.0, 0.01),
        ("B", 100.2, 0.01),
        ("C", 100.4, 0.01),
        ("D", 100.6, 0.01),
        ("E", 100.8, 0.01),
        ("F", 101.0, 0.01),
        ("G", 101.2, 0.01),
        ("H", 101.4, 0.01),
        ("I", 101.6, 0.01),
        ("J", 101.8, 0.01),
        ("K", 102.0, 0.01),
        ("L", 102.2, 0.01),
        ("M", 102.4, 0.01),
        ("N", 102.6, 0.01),
        ("O", 102.8, 0.01),
        ("P", 103.0, 0.01),
        ("Q", 103.2, 0.01),
        ("R", 103.4, 0.01),
        ("S", 103.6, 0.01),
        ("T", 103.8, 0.01),
    ];
    let ids: Vec<&str> = BODIES[1..].iter().map(|(id, ..)| *id).collect();
    let alone = compared(BODIES, &[]).outcome.end.wall_ns;
    let with = compared(BODIES, &[comparison("A", &ids, None)])
        .outcome
        .end
        .wall_ns;
    assert!(
        with > alone && with as f64 <= 1.65 * alone as f64 + 2e9,
        "{alone} {with}"
    );
}

#[test]
fn launches_in_place_of_contended_ones_are_blocks_too() {
    // Both cases are contended in their first ten launches.
    let settings = settings(CaseSettings::default());
    let comparisons = [comparison("a", &["b"], None)];
    let played = play_compared(&["a", "b"], &comparisons, &settings, |plan, act| {
        let contended = plan.launch < 10;
        let model = Model {
            cycles_per_op: if contended { 180.0 } else { 100.0 },
            empty: if contended { 0.25 } else { 0.125 },
            ..Model::default()
        };
        measure(&model, plan, act);
    });
    let repeated = |launches: &BTreeMap<u32, Vec<&str>>| {
        let both = launches
            .iter()
            .filter(|(number, block)| **number >= 20 && block.len() == 2);
        both.count()
    };
    let blocks = blocks(&played);
    assert!(repeated(&blocks) >= 2, "{blocks:?}");
    let [verdict] = &played.outcome.verdicts[..] else {
        panic!("{:?}", played.outcome.verdicts);
    };
    assert!(
        verdict.discarded >= 10 && verdict.finding == Finding::Same,
        "{verdict:?}"
    );
}

/// The samples of a record are those of the table.
#[test]
fn the_record_has_launches_and_no_rounds() {
    let bodies = &[("a", 100.0, 0.001), ("b", 150.0, 0.001)];
    let played = compared(bodies, &[comparison("a", &["b"], None)]);
    let launches: Vec<&LaunchSamples> = played
        .log
        .lines
        .iter()
        .filter_map(|line| match line {
            Line::Launch(launch) => Some(&**launch),
            _ => None,
        })
        .collect();
    assert_eq!(launches.len(), 40);
    assert!(
        !played
            .log
            .lines
            .iter()
            .any(|line| matches!(line, Line::Rounds(_)))
    );
}
