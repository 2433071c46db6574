//! Rounds beside which other programs took all processors.

use super::*;

#[test]
fn rounds_beside_a_contended_moment_are_marked() {
    let arms = ["a", "b"].map(|name| Arm {
        prepare: None,
        conclude: None,
        ..arm(name)
    });
    let mut script = Script::new(|_, at| Ok((noisy(3e6, at), End::Code(0))));
    // Two set-ups, then rounds of two processes: the readings after rounds 4 and 5.
    script.contended = |ran| Some((10..14).contains(&ran));
    let subjects = Subjects {
        arms: &arms,
        empty: Err("no program".to_owned()),
    };
    let limits = Limits {
        runs: Some(20),
        ..limits()
    };
    let found = measure(subjects, &limits, 7, GIGAHERTZ, &mut script, &mut |_| {});
    let columns = found.rounds.processes.as_deref().expect("columns");
    let marked = found
        .rounds
        .round
        .iter()
        .zip(columns.contended.as_ref().expect("marks"));
    let rounds: Vec<u64> = marked
        .filter(|(_, mark)| **mark == 1)
        .map(|(round, _)| *round)
        .collect();
    assert_eq!(rounds, [3, 3, 4, 4, 5, 5]);
    // They do not count: of 20 rounds, 17 are values.
    let results = crate::estimate::estimate(
        &found.rounds,
        0,
        tourbillon_stats::Confidence::P99,
        &GIGAHERTZ,
    );
    assert_eq!(results[0].launches, 17);
    let verdict = judge(
        Design::Commands,
        &[found.rounds],
        0,
        1,
        Criteria::COMMANDS,
        &GIGAHERTZ,
    );
    assert_eq!((verdict.pairs, verdict.discarded), (17, 3));
}

#[test]
fn rounds_count_where_most_are_contended_or_none_is_known() {
    let cases: [(Contended, Option<u64>); 3] = [
        (|_| Some(true), Some(40)),
        (|_| None, None),
        (|ran| (ran < 9).then_some(false), None),
    ];
    for (contended, marks) in cases {
        let arms = ["a", "b"].map(arm);
        let mut script = Script::new(|_, at| Ok((noisy(3e6, at), End::Code(0))));
        script.contended = contended;
        let subjects = Subjects {
            arms: &arms,
            empty: Err("no program".to_owned()),
        };
        let limits = Limits {
            runs: Some(20),
            ..limits()
        };
        let found = measure(subjects, &limits, 7, GIGAHERTZ, &mut script, &mut |_| {});
        let columns = found.rounds.processes.as_deref().expect("columns");
        let count = columns
            .contended
            .as_ref()
            .map(|all| all.iter().sum::<u64>());
        assert_eq!(count, marks);
        let verdict = judge(
            Design::Commands,
            &[found.rounds],
            0,
            1,
            Criteria::COMMANDS,
            &GIGAHERTZ,
        );
        assert_eq!((verdict.pairs, verdict.discarded), (20, 0));
    }
}
