//! How commands share the time.

use super::*;

/// The runs of each command, and the findings on the second and others, in a tenth of a second each.
fn of_slow_set(base: [f64; 4]) -> ([usize; 4], Vec<Finding>) {
    let arms = ["a", "b", "c", "d"].map(bare);
    let usual = Limits {
        min_runs: None,
        time_ns: 400_000_000,
        ..limits()
    };
    let of = |name: &str, at| {
        let place = "abcd".find(name).unwrap_or(0);
        Ok((noisy(base[place], at % 50), End::Code(0)))
    };
    let (found, ..) = run(&arms, &usual, of);
    let rounds = &found.rounds;
    let count = |arm| rounds.arm.iter().filter(|own| **own == arm).count();
    let launch = std::slice::from_ref(rounds);
    let criteria = Criteria::COMMANDS;
    let judged = (1..4)
        .map(|arm| judge(Design::Commands, launch, 0, arm, criteria, &GIGAHERTZ))
        .inspect(|verdict| assert_eq!(verdict.launches as u64, verdict.pairs));
    (
        [0, 1, 2, 3].map(count),
        judged.map(|one| one.finding).collect(),
    )
}

#[test]
fn a_slow_command_costs_no_verdict() {
    // Four commands need 15 rounds. The slow one has no more, and the others have what is left of the time: one of them
    // is on the edge of the margin, never decided.
    let (runs, findings) = of_slow_set([1e6, 1.01e6, 2e6, 1e10]);
    assert_eq!(runs[3], 15, "{runs:?}");
    assert!(
        (80..=100).contains(&runs[1]) && (40..=50).contains(&runs[2]),
        "{runs:?}"
    );
    assert_eq!(runs[0], runs[1]);
    assert_eq!(
        findings,
        [Finding::Undecided, Finding::Slower, Finding::Slower]
    );
    // Where the reference is the slow one, no other can have more.
    let (runs, findings) = of_slow_set([1e10, 1e6, 1.01e6, 2e6]);
    assert_eq!(runs, [15; 4]);
    assert_eq!(findings, [Finding::Faster; 3]);
}

#[test]
fn equal_commands_have_equal_shares() {
    let (runs, _) = of_slow_set([1e6, 1.01e6, 1.01e6, 1.01e6]);
    let (least, most) = (runs[1..].iter().min(), runs[1..].iter().max());
    let (least, most) = (least.expect("some"), most.expect("some"));
    assert!(most - least <= 3 && (85..=100).contains(most), "{runs:?}");
}

/// Three copies of one command, of which any may end before the others: with a margin of 0, and a fifth of them
/// allowed to be wrong.
#[test]
fn shares_do_not_call_copies_different() {
    let arms = ["a", "b", "c"].map(bare);
    let criteria = Criteria {
        margin: 0.0,
        error: 0.2,
        ..Criteria::COMMANDS
    };
    let usual = Limits {
        min_runs: None,
        time_ns: 90_000_000,
        criteria,
        ..limits()
    };
    let (mut wrong, mut uneven) = (0, 0);
    for seed in 0..400 {
        let mut noise = Rng::new(seed);
        let mut script = Script::new(|_: &str, _| {
            // One of eight takes six times as long.
            let is_slow = noise.below(NonZeroU64::new(8).expect("not zero")) == 0;
            let ns = 1_000_000 + noise.next_u64() % 300_000;
            Ok((if is_slow { 6 * ns } else { ns }, End::Code(0)))
        });
        let subjects = Subjects {
            arms: &arms,
            empty: Err("no program".to_owned()),
        };
        let found = measure(subjects, &usual, seed, GIGAHERTZ, &mut script, &mut |_| {});
        let launch = [found.rounds];
        let of = |arm| judge(Design::Commands, &launch, 0, arm, criteria, &GIGAHERTZ);
        let [b, c] = [of(1), of(2)];
        uneven += u32::from(b.launches != c.launches);
        let is_wrong = |finding| matches!(finding, Finding::Faster | Finding::Slower);
        wrong += u32::from(is_wrong(b.finding) || is_wrong(c.finding));
    }
    // Two of three shares of the error go to these pairs: 53 of 400, and three standard errors of 7.
    assert!(
        uneven > 100 && wrong <= 74,
        "{uneven} uneven, {wrong} wrong"
    );
}

#[test]
fn what_a_preparation_takes_is_of_the_time() {
    // Of each round half a second is a preparation: the time is up after as many as without it.
    let arms = [Arm {
        conclude: None,
        ..arm("a")
    }];
    let of = |name: &str, _| {
        let ns = if name == "prepare a" {
            500_000_000
        } else {
            1_000_000
        };
        Ok((ns, End::Code(0)))
    };
    let time = Limits {
        min_runs: None,
        time_ns: 3_000_000_000,
        ..limits()
    };
    let (found, ..) = run(&arms, &time, of);
    assert_eq!(found.rounds.round.len(), 10);
    let time = Limits {
        time_ns: 10_000_000_000,
        ..time
    };
    let (found, ..) = run(&arms, &time, of);
    assert_eq!(found.rounds.round.len(), 20);
}
