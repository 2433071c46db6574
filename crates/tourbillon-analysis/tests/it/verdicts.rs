//! Verdicts on rounds whose truth is known.

use std::num::NonZeroU64;

use tourbillon_analysis::{Criteria, Design, Frequency, fastest_two, judge, settled};
use tourbillon_record::{Chain, Empty, Finding, Probes, Reach, Rounds, Undecided, Verdict};
use tourbillon_stats::Rng;

fn frequency() -> Frequency {
    Frequency {
        numerator: NonZeroU64::new(1_000_000_000).unwrap(),
        denominator: NonZeroU64::MIN,
        error_ppm: None,
    }
}

/// Rounds of arms that take so many ticks, each reading up to 1 % longer by chance; the control
/// takes `control` ticks.
fn functions(ticks: &[u64], control: u64, count: u64) -> [Rounds; 1] {
    let mut rng = Rng::new(5);
    let mut rounds = Rounds {
        cases: (0..ticks.len()).map(|arm| format!("arm {arm}")).collect(),
        ops: vec![1_000; ticks.len()],
        fixed_ticks: vec![20; ticks.len()],
        launch_ticks: 1_000_000_000,
        ..Rounds::default()
    };
    for round in 0..count {
        let mut arms: Vec<usize> = (0..ticks.len()).collect();
        if round % 4 == 0 {
            arms.push(ticks.len());
        }
        rng.shuffle(&mut arms);
        for arm in arms {
            let own = ticks.get(arm).copied().unwrap_or(control);
            let noise = rng.below(NonZeroU64::new(own / 100).unwrap());
            rounds.round.push(round);
            rounds.arm.push(arm as u8);
            rounds.ticks.push(20 + own + noise);
        }
    }
    [rounds]
}

#[test]
fn two_functions_are_compared_by_their_pairs() {
    let rounds = functions(&[100_000, 103_000], 100_000, 64);
    let verdict = judge(
        Design::Functions,
        &rounds,
        0,
        1,
        Criteria::FUNCTIONS,
        &frequency(),
    );
    assert_eq!(verdict.finding, Finding::Slower, "{verdict:?}");
    assert!((verdict.ratio.unwrap() - 1.03).abs() < 0.001, "{verdict:?}");
    assert!(verdict.lower.unwrap() < 1.03 && 1.03 < verdict.upper.unwrap());
    assert_eq!(
        (verdict.case.as_str(), verdict.reference.as_str()),
        ("arm 1", "arm 0")
    );
    assert_eq!(
        (verdict.pairs, verdict.discarded, verdict.seconds),
        (64, 0, 1.0)
    );
    assert!(
        (verdict.reference_ns.unwrap() - 100.5).abs() < 0.3,
        "{verdict:?}"
    );
    let control = verdict.control.unwrap();
    assert_eq!((control.pairs, control.fired), (16, false));
    assert!(settled(Design::Functions, &rounds, Criteria::FUNCTIONS));
    let reversed = judge(
        Design::Functions,
        &rounds,
        1,
        0,
        Criteria::FUNCTIONS,
        &frequency(),
    );
    assert_eq!(reversed.finding, Finding::Faster);
}

#[test]
fn it_is_settled_at_a_planned_look_only() {
    assert!(!settled(
        Design::Functions,
        &functions(&[100_000, 103_000], 100_000, 65),
        Criteria::FUNCTIONS
    ));
    assert!(settled(
        Design::Functions,
        &functions(&[100_000, 100_000], 100_000, 256),
        Criteria::FUNCTIONS
    ));
    // Decided against the reference, but not which of the two others is faster: on the edge of
    // the margin.
    let close = functions(&[100_000, 120_000, 120_600], 100_000, 64);
    assert_eq!(fastest_two(&close), Some((0, 1)));
    assert!(settled(Design::Functions, &close, Criteria::FUNCTIONS));
    let close = functions(&[200_000, 120_000, 120_600], 200_000, 64);
    assert!(!settled(Design::Functions, &close, Criteria::FUNCTIONS));
}

#[test]
fn a_control_that_differs_voids_the_verdict() {
    let rounds = functions(&[100_000, 103_000], 101_000, 256);
    let verdict = judge(
        Design::Functions,
        &rounds,
        0,
        1,
        Criteria::FUNCTIONS,
        &frequency(),
    );
    assert_eq!(verdict.finding, Finding::Undecided);
    assert_eq!(verdict.why, Some(Undecided::Control));
    assert!(verdict.control.unwrap().fired);
}

#[test]
fn a_small_bias_of_the_control_widens_the_margin() {
    let rounds = functions(&[100_000, 100_700], 100_200, 4_096);
    let verdict = judge(
        Design::Functions,
        &rounds,
        0,
        1,
        Criteria {
            margin: 0.000_1,
            ..Criteria::FUNCTIONS
        },
        &frequency(),
    );
    assert!(verdict.margin >= 0.000_4, "{verdict:?}");
}

#[test]
fn too_many_dropped_pairs_are_noise() {
    let mut rounds = functions(&[100_000, 103_000], 100_000, 64);
    for (at, ticks) in rounds[0].ticks.iter_mut().enumerate() {
        if at % 5 < 2 {
            *ticks = 0;
        }
    }
    let verdict = judge(
        Design::Functions,
        &rounds,
        0,
        1,
        Criteria::FUNCTIONS,
        &frequency(),
    );
    assert_eq!(verdict.why, Some(Undecided::Noise), "{verdict:?}");
    assert!(verdict.discarded > 20);
}

/// Pairs of processes with forty rounds each: the second side takes `ratio` times as long, and
/// each process is off by up to `placement`, all its batches alike.
fn builds(count: u32, ratio: f64, placement: f64) -> Vec<Rounds> {
    let mut rng = Rng::new(11);
    let mut uniform = move || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    (0..count)
        .map(|launch| {
            let mut rounds = Rounds {
                cases: vec!["c".into(), "c".into()],
                launch,
                placement: Some(launch.into()),
                ops: vec![1_000, 1_000],
                fixed_ticks: vec![20, 20],
                launch_ticks: 10_000_000,
                ..Rounds::default()
            };
            let off = [(); 2].map(|()| 1.0 + placement * (2.0 * uniform() - 1.0));
            for round in 0..40 {
                for (arm, factor) in [1.0, ratio].into_iter().enumerate() {
                    let ticks = 100_000.0 * factor * off[arm] * (1.0 + 0.005 * uniform());
                    rounds.round.push(round);
                    rounds.arm.push(arm as u8);
                    rounds.ticks.push(20 + ticks as u64);
                }
            }
            rounds
        })
        .collect()
}

#[test]
fn the_unit_is_a_pair_of_processes() {
    let launches = builds(16, 1.05, 0.01);
    let verdict = judge(
        Design::Builds,
        &launches,
        0,
        1,
        Criteria::BUILDS,
        &frequency(),
    );
    assert_eq!(verdict.finding, Finding::Slower, "{verdict:?}");
    assert_eq!(
        (verdict.launches, verdict.placements, verdict.pairs),
        (16, 16, 640)
    );
    assert_eq!(verdict.scope, Reach::Placements);
    assert!((verdict.seconds - 0.16).abs() < 1e-9);
    assert!(settled(Design::Builds, &launches, Criteria::BUILDS));
    assert!(!settled(Design::Builds, &launches[..15], Criteria::BUILDS));
}

#[test]
fn one_placement_does_not_stand_for_all() {
    // The 640 pairs of batches all agree; the processes do not.
    let launches = builds(16, 1.0, 0.03);
    let verdict = judge(
        Design::Builds,
        &launches,
        0,
        1,
        Criteria::BUILDS,
        &frequency(),
    );
    assert_eq!(verdict.finding, Finding::Undecided, "{verdict:?}");
    assert!(verdict.lower.unwrap() < 1.0 && 1.0 < verdict.upper.unwrap());
    let one = judge(
        Design::Builds,
        &launches[..1],
        0,
        1,
        Criteria::BUILDS,
        &frequency(),
    );
    assert_eq!(
        (one.why, one.scope),
        (Some(Undecided::TooFew), Reach::Processes)
    );
}

#[test]
fn no_launches_are_no_figures() {
    let verdict = judge(Design::Builds, &[], 0, 1, Criteria::BUILDS, &frequency());
    assert_eq!(
        (verdict.ratio, verdict.reference_ns, verdict.launches),
        (None, None, 0)
    );
}

/// What a process of forty rounds reads in which a turn of the empty loop takes so many cycles.
fn probes(turn: impl Fn(u64) -> f64) -> Probes {
    let readings = 20;
    let long = |reading: u64| (16_384.0 / 8.0 * turn(reading)) as u64;
    Probes {
        chain: Chain {
            short_cycles: 1_800,
            long_cycles: 18_000,
            at: (0..readings).collect(),
            short_ticks: vec![1_820; 20],
            long_ticks: vec![18_020; 20],
            ..Chain::default()
        },
        empty: Empty {
            ops: 8_192,
            short_ticks: (0..readings)
                .map(|reading| 20 + long(reading) / 2)
                .collect(),
            long_ticks: (0..readings).map(|reading| 20 + long(reading)).collect(),
        },
    }
}

#[test]
fn a_pair_of_builds_is_discarded_if_either_was_contended() {
    let judged = |launches: &[Rounds]| {
        judge(
            Design::Builds,
            launches,
            0,
            1,
            Criteria::BUILDS,
            &frequency(),
        )
    };
    let mut launches = builds(24, 1.0, 0.001);
    for launch in &mut launches {
        launch.probes = Some(vec![probes(|_| 1.0), probes(|_| 1.0)]);
    }
    let quiet = judged(&launches);
    assert_eq!((quiet.finding, quiet.discarded), (Finding::Same, 0));
    // The second build was contended in some pairs, and in the first half of others.
    for (number, launch) in launches
        .iter_mut()
        .enumerate()
        .filter(|(number, _)| number % 3 == 0)
    {
        let from = if number % 2 == 0 { 0 } else { 10 };
        for (round, (arm, ticks)) in launch
            .round
            .iter()
            .zip(launch.arm.iter().zip(&mut launch.ticks))
        {
            if *arm == 1 && *round >= 2 * from {
                *ticks *= 2;
            }
        }
        launch.probes = Some(vec![
            probes(|_| 1.0),
            probes(|reading| {
                if reading >= from {
                    1.8 + 0.02 * reading as f64
                } else {
                    1.0
                }
            }),
        ]);
    }
    let shared = judged(&launches);
    assert_eq!(shared.finding, Finding::Same, "{shared:?}");
    assert!((shared.ratio.unwrap() - 1.0).abs() < 0.002, "{shared:?}");
    // Four whole pairs of forty rounds, and somewhat more than half of four others.
    assert!((240..=260).contains(&shared.discarded), "{shared:?}");
    // Without probes the same rounds are another verdict.
    for launch in &mut launches {
        launch.probes = None;
    }
    assert_ne!(judged(&launches).finding, Finding::Same);
}

/// The verdict on two builds of which the second takes `ratio` times as long, on a core that is shared all the time.
fn on_a_shared_core(ratio: f64) -> Verdict {
    let mut launches = builds(24, ratio, 0.001);
    for launch in &mut launches {
        launch.probes = Some(vec![probes(|reading| 1.4 + 0.04 * reading as f64); 2]);
    }
    // No size is waited for.
    let is_decided = ratio > 1.0;
    let settled = settled(Design::Builds, &launches[..16], Criteria::BUILDS);
    assert_eq!(settled, is_decided);
    judge(
        Design::Builds,
        &launches,
        0,
        1,
        Criteria::BUILDS,
        &frequency(),
    )
}

#[test]
fn builds_that_share_the_core_nearly_always_are_not_called_the_same() {
    let verdict = on_a_shared_core(1.0);
    assert_eq!(verdict.finding, Finding::Undecided);
    assert_eq!(verdict.why, Some(Undecided::CoreShared));
    assert_eq!(verdict.discarded, 24 * 40);
}

#[test]
fn a_difference_of_two_builds_is_decided_although_the_core_was_shared() {
    let verdict = on_a_shared_core(1.1);
    assert_eq!(verdict.finding, Finding::Slower, "{verdict:?}");
    assert_eq!(verdict.why, Some(Undecided::CoreShared));
}
