//! Verdicts on cases of a run, by their launches.

use tourbillon_analysis::synthetic::{Model, frequency};
use tourbillon_analysis::{
    BLOCKS, BlockArm, Criteria, Rules, blocks, blocks_left, differs, fastest_arms, is_size_open,
    judge_blocks,
};
use tourbillon_record::{Finding, LaunchSamples, Measured, Metric, Plan, Reach, Undecided};
use tourbillon_stats::Confidence;

fn rules() -> Rules {
    Rules {
        frequency: frequency(),
        confidence: Confidence::P99,
        core_cache_bytes: None,
    }
}

/// A body of so many cycles an op, which differs by up to `spread` from process to process.
fn body(cycles_per_op: f64, spread: f64, seed: u64) -> Model {
    Model {
        cycles_per_op,
        process_spread: spread,
        rounds: 8,
        seed,
        ..Model::default()
    }
}

fn launches(model: &Model, numbers: impl Iterator<Item = u32>) -> Vec<LaunchSamples> {
    numbers
        .map(|number| {
            let plan = Plan {
                launch: number,
                seed: model.seed * 1_000 + u64::from(number),
                ..Plan::default()
            };
            model.launch(&plan)
        })
        .collect()
}

fn arm(name: &str, launches: &[LaunchSamples]) -> BlockArm {
    BlockArm::new(name, launches, &rules())
}

fn of_body(name: &str, cycles: f64, spread: f64, seed: u64, count: u32) -> BlockArm {
    arm(name, &launches(&body(cycles, spread, seed), 0..count))
}

#[test]
fn a_block_is_one_value_in_cycles() {
    let reference = launches(&body(100.0, 0.003, 1), 0..20);
    // The core is slower in every launch of the other: times differ by a tenth more than cycles.
    let slow = Model {
        core: (0.77, 0.0),
        ..body(105.0, 0.003, 2)
    };
    let case = launches(&slow, 0..20);
    let verdict = judge_blocks(&arm("r", &reference), &arm("c", &case), Criteria::CASES);
    assert_eq!(verdict.finding, Finding::Slower, "{verdict:?}");
    assert_eq!(
        (verdict.reference.as_str(), verdict.case.as_str()),
        ("r", "c")
    );
    let (lower, upper) = (verdict.lower.unwrap(), verdict.upper.unwrap());
    assert!(lower < 1.05 && 1.05 < upper && upper < 1.06, "{verdict:?}");
    assert_eq!(
        (verdict.launches, verdict.pairs, verdict.discarded),
        (20, 20, 0)
    );
    assert_eq!(
        (verdict.scope, verdict.method.as_str()),
        (Reach::Processes, BLOCKS)
    );
    assert!((verdict.ratio_of_medians.unwrap() - 1.05).abs() < 0.005);
    let times = verdict.case_ns.unwrap() / verdict.reference_ns.unwrap();
    assert!((times - 1.155).abs() < 0.01, "{times}");
    assert!(!is_size_open(&verdict) && !differs(&verdict));
}

#[test]
fn where_one_has_no_cycles_all_are_in_time() {
    let reference = launches(&body(100.0, 0.001, 1), 0..16);
    let mut case = launches(&body(100.0, 0.001, 2), 0..16);
    case[3].chain = None;
    for launch in &mut case {
        for ticks in &mut launch.batches.ticks {
            *ticks *= 2;
        }
    }
    let verdict = judge_blocks(&arm("r", &reference), &arm("c", &case), Criteria::CASES);
    assert!((verdict.ratio.unwrap() - 2.0).abs() < 0.01, "{verdict:?}");
}

#[test]
fn the_same_code_is_hardly_ever_called_different() {
    let mut decided = [0, 0];
    for seed in 0..40 {
        let reference = of_body("r", 100.0, 0.02, 2 * seed + 1, 36);
        let case = of_body("c", 100.0, 0.02, 2 * seed + 2, 36);
        let verdict = judge_blocks(&reference, &case, Criteria::CASES);
        decided[0] += usize::from(matches!(verdict.finding, Finding::Slower | Finding::Faster));
        let steady = of_body("c", 100.0, 0.001, 2 * seed + 2, 36);
        let reference = of_body("r", 100.0, 0.001, 2 * seed + 1, 36);
        let verdict = judge_blocks(&reference, &steady, Criteria::CASES);
        decided[1] += usize::from(verdict.finding == Finding::Same);
    }
    assert_eq!(decided, [0, 40]);
}

#[test]
fn launches_without_a_partner_are_no_block() {
    let reference = launches(
        &body(100.0, 0.001, 1),
        (0..40).filter(|number| number % 2 == 0),
    );
    let case = launches(&body(110.0, 0.001, 2), 10..40);
    let pairs = blocks(&arm("r", &reference), &arm("c", &case));
    let numbers: Vec<u32> = pairs.iter().map(|block| block.number).collect();
    assert_eq!(
        numbers,
        Vec::from_iter((10..40).filter(|number| number % 2 == 0))
    );
}

/// Launches that were contended: turns of the empty loop take twice as long, and so do ops.
fn contended(launches: &mut [LaunchSamples]) {
    for launch in launches {
        for ticks in launch
            .empty
            .long_ticks
            .iter_mut()
            .chain(&mut launch.batches.ticks)
        {
            *ticks *= 2;
        }
    }
}

#[test]
fn what_a_table_discards_a_comparison_discards() {
    let reference = launches(&body(100.0, 0.001, 1), 0..20);
    let mut case = launches(&body(110.0, 0.001, 2), 0..20);
    contended(&mut case[4..8]);
    let verdict = judge_blocks(&arm("r", &reference), &arm("c", &case), Criteria::CASES);
    assert_eq!(
        (verdict.launches, verdict.pairs, verdict.discarded),
        (20, 16, 4)
    );
    assert!((verdict.ratio.unwrap() - 1.1).abs() < 0.003, "{verdict:?}");
    assert_eq!(verdict.finding, Finding::Slower);
    // What lost its partner in one block is paired with what lost it in another.
    let mut reference = reference;
    contended(&mut reference[8..12]);
    let verdict = judge_blocks(&arm("r", &reference), &arm("c", &case), Criteria::CASES);
    assert_eq!(
        (verdict.launches, verdict.pairs, verdict.discarded),
        (20, 16, 4)
    );
    assert!((verdict.ratio.unwrap() - 1.1).abs() < 0.003, "{verdict:?}");
    contended(&mut case[8..20]);
    let verdict = judge_blocks(&arm("r", &reference), &arm("c", &case), Criteria::CASES);
    assert_eq!(verdict.why, Some(Undecided::CoreShared), "{verdict:?}");
}

#[test]
fn a_comparison_goes_on_until_its_size_is_known() {
    let count = |spread: f64, blocks: u32| {
        let reference = of_body("r", 100.0, spread, 1, blocks);
        let case = of_body("c", 150.0, spread, 2, blocks);
        blocks_left(&reference, &case, Criteria::CASES)
    };
    let few = count(0.001, 10);
    assert_eq!((few.blocks, few.is_looked_at), (Some(6), false));
    assert_eq!(count(0.001, 16).blocks, None);
    // The direction is sure, the size is not.
    let wide = count(0.1, 16);
    assert_eq!((wide.blocks, wide.is_looked_at), (Some(8), true));
    let direction = Criteria {
        size: None,
        ..Criteria::CASES
    };
    let (reference, case) = (
        of_body("r", 100.0, 0.1, 1, 16),
        of_body("c", 150.0, 0.1, 2, 16),
    );
    assert_eq!(blocks_left(&reference, &case, direction).blocks, None);
    let verdict = judge_blocks(&reference, &case, Criteria::CASES);
    assert!(is_size_open(&verdict), "{verdict:?}");
    assert_eq!(verdict.finding, Finding::Slower);
}

#[test]
fn the_fastest_two_are_those_of_the_table() {
    let arms = [120.0, 100.0, 110.0].map(|cycles| of_body("x", cycles, 0.001, 1, 16));
    assert_eq!(fastest_arms(arms.iter()), Some((1, 2)));
    assert_eq!(fastest_arms(arms[..1].iter()), None);
}

#[test]
fn numbers_of_a_body_are_not_compared() {
    let time = of_body("t", 100.0, 0.0, 1, 4);
    let mut launches = launches(&body(100.0, 0.0, 1), 0..4);
    for launch in &mut launches {
        launch.measured = Some(Box::new(Measured {
            metric: Metric::Own,
            ..Measured::default()
        }));
    }
    let own = arm("own", &launches);
    assert!(!own.is_comparable(&own) && !own.is_comparable(&time) && time.is_comparable(&time));
}
