//! Several cases alive at once, measured batch by batch in turn.

use tourbillon_clock::{Clock, Script};
use tourbillon_engine::{About, Arm, Candidate, Iterated, Next, alternate};
use tourbillon_record::{Plan, Rounds};

use crate::stage::{FIXED, about, plan, script};

/// Ticks of an op of each body.
const COSTS: [(&str, u64); 5] = [
    ("slow", 70),
    ("fast", 30),
    ("faster", 29),
    ("long", 50_000),
    ("alike", 50_000),
];

/// The rounds of bodies that take turns until `next` ends it.
fn alternated(
    names: &[&str],
    plan: &Plan,
    script: &Script,
    next: &mut dyn FnMut(&Rounds) -> Next,
) -> Result<Rounds, String> {
    let cost = |name: &str| {
        COSTS
            .iter()
            .find(|(own, _)| *own == name)
            .expect("a body")
            .1
    };
    let body = |name: &&str| {
        let cost = cost(name);
        Iterated::new(move || script.advance(cost), |()| Ok(()))
    };
    let mut arms: Vec<_> = names.iter().map(body).collect();
    let mut candidates: Vec<Candidate<'_>> = arms
        .iter_mut()
        .map(|arm| Candidate {
            arm,
            about: about(),
        })
        .collect();
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    let clock = Clock::scripted(script);
    alternate(&mut candidates, names, plan, &clock, next, &mut || ())
}

/// The same for so many rounds.
fn rounds(names: &[&str], plan: &Plan, most: usize) -> Rounds {
    let mut asked = 0;
    let mut enough = |_: &Rounds| {
        asked += 1;
        if asked == most {
            Next::Enough
        } else {
            Next::More
        }
    };
    alternated(names, plan, &script(), &mut enough).expect("rounds")
}

/// A plan with time for many rounds.
fn long_plan() -> Plan {
    Plan {
        budget_ns: 100_000_000,
        ..plan("slow", 3)
    }
}

#[test]
fn arms_take_turns_in_a_random_order() {
    let rounds = rounds(&["slow", "fast", "faster"], &long_plan(), 40);
    assert_eq!(rounds.cases, ["slow", "fast", "faster"]);
    assert_eq!(rounds.fixed_ticks, [FIXED; 3]);
    // The two that are alike have one length, the slow one its own.
    assert_eq!(rounds.ops[1], rounds.ops[2]);
    assert_ne!(rounds.ops[0], rounds.ops[1]);
    let mut controls = 0;
    let mut firsts = [0; 3];
    for round in 0..40 {
        let mut arms = Vec::new();
        for (index, of) in rounds.round.iter().enumerate() {
            if *of == round {
                let arm = usize::from(rounds.arm[index]);
                let cost = COSTS[arm % 3].1;
                let ticks = rounds.ops[arm % 3] * cost + FIXED;
                assert_eq!(rounds.ticks[index], ticks, "{rounds:?}");
                arms.push(arm);
            }
        }
        firsts[arms[0] % 3] += 1;
        arms.sort_unstable();
        controls += arms.len() - 3;
        assert!(arms == [0, 1, 2] || arms == [0, 1, 2, 3], "{arms:?}");
    }
    // One round of four has the control; every arm comes first now and then.
    assert!((3..=20).contains(&controls), "{controls}");
    assert!(firsts.iter().all(|&count| count >= 4), "{firsts:?}");
    assert_eq!(rounds.round.last(), Some(&39));
}

#[test]
fn arms_that_are_alike_get_one_length_though_a_pilot_was_disturbed() {
    let script = script();
    let clock = Clock::scripted(&script);
    // The first arm is ten times as slow for its first calls, as in empty caches; the second one is
    // interrupted wherever its pilot would go on, or in its first call.
    for (early, stops) in [(500, [40, 80]), (50, [40, 80]), (50, [1, 1])] {
        let cost = |call: u64, of: u64| if call < 500 { of } else { 50 };
        let (mut calls, mut others) = (0, 0);
        let mut first = Iterated::new(
            || {
                calls += 1;
                script.advance(cost(calls, early));
            },
            |()| Ok(()),
        );
        let mut second = Iterated::new(
            || {
                others += 1;
                script.advance(if stops.contains(&others) { 600_000 } else { 50 });
            },
            |()| Ok(()),
        );
        let mut candidates = [&mut first as &mut dyn Arm, &mut second].map(|arm| Candidate {
            arm,
            about: about(),
        });
        let names = vec!["first".to_owned(), "second".to_owned()];
        let plan = plan("first", 3);
        let mut enough = |rounds: &Rounds| match rounds.round.last() {
            Some(7) => Next::Enough,
            _ => Next::More,
        };
        let rounds = alternate(
            &mut candidates,
            names,
            &plan,
            &clock,
            &mut enough,
            &mut || (),
        );
        let ops = rounds.unwrap().ops;
        assert_eq!(ops[0], ops[1]);
        assert!(ops[0] > 1_000, "{ops:?}");
    }
}

#[test]
fn arms_have_one_form_of_the_loop_whatever_their_pilots_say() {
    // Eight calls of the long one do not fit into a batch, those of the slow one do.
    let rounds = rounds(&["slow", "long"], &long_plan(), 4);
    assert_eq!((rounds.ops[0] % 8, rounds.ops[1]), (0, 8));
}

#[test]
fn the_same_seed_makes_the_same_rounds() {
    let of_seed = |seed| {
        rounds(
            &["slow", "fast"],
            &Plan {
                seed,
                ..plan("slow", 3)
            },
            30,
        )
    };
    let (one, other) = (of_seed(3), of_seed(3));
    assert_eq!((&one.arm, &one.ticks), (&other.arm, &other.ticks));
    assert_ne!(one.arm, of_seed(4).arm);
}

/// For each round, whether the second of two arms came before the first, wherever the control was.
fn tosses(seed: u64, count: usize) -> Vec<bool> {
    let plan = Plan {
        budget_ns: 1_000_000_000,
        ..plan("long", seed)
    };
    let rounds = rounds(&["long", "alike"], &plan, count);
    let mut tosses = vec![None; count];
    for (round, arm) in rounds.round.iter().zip(&rounds.arm) {
        if *arm < 2 {
            tosses[*round as usize].get_or_insert(*arm == 1);
        }
    }
    tosses.into_iter().map(Option::unwrap).collect()
}

#[test]
fn the_order_is_a_fair_coin_that_neither_remembers_nor_repeats() {
    const SEEDS: usize = 256;
    const ROUNDS: usize = 64;
    // Seeds in a row: the worst that a coordinator could give.
    let all: Vec<Vec<bool>> = (0..SEEDS).map(|seed| tosses(seed as u64, ROUNDS)).collect();
    let assert_even = |count: usize, of: usize, what: &str| {
        // Five standard errors.
        let off = (count as f64 - of as f64 / 2.0).abs();
        assert!(off < 2.5 * (of as f64).sqrt(), "{what}: {count} of {of}");
    };
    let mut heads = 0;
    for tosses in &all {
        heads += tosses.iter().filter(|&&toss| toss).count();
    }
    assert_even(heads, SEEDS * ROUNDS, "heads");
    for round in 0..ROUNDS {
        let heads = all.iter().filter(|tosses| tosses[round]).count();
        assert_even(heads, SEEDS, "heads in one round of all seeds");
    }
    // A round and one before it; a round and the same with the next seed.
    for back in 1..=8 {
        let pairs = |tosses: &Vec<bool>| {
            let before = tosses.iter().zip(&tosses[back..]);
            before.filter(|(one, other)| one == other).count()
        };
        let alike = all.iter().map(pairs).sum();
        assert_even(alike, SEEDS * (ROUNDS - back), "repeats");
    }
    let mut alike = 0;
    for seeds in all.windows(2) {
        alike += (0..ROUNDS)
            .filter(|&round| seeds[0][round] == seeds[1][round])
            .count();
    }
    assert_even(alike, (SEEDS - 1) * ROUNDS, "rounds alike in two seeds");
}

#[test]
fn longer_turns_begin_again_while_there_is_time() {
    let mut seen = Vec::new();
    let mut next = |rounds: &Rounds| {
        seen.push((rounds.lead_in, rounds.round.last().copied()));
        Next::LongerTurns { if_not: false }
    };
    let rounds = alternated(&["slow", "fast"], &long_plan(), &script(), &mut next).expect("rounds");
    // Each begins with its first round, and is noted alone.
    assert_eq!(seen[..3], [(1, Some(0)), (8, Some(0)), (64, Some(0))]);
    assert_eq!(rounds.lead_in, 64);
    assert_eq!(rounds.round.first(), Some(&0));
    // Every batch after eight of its own; two arms and now and then the control.
    let timed: u64 = rounds.ticks.iter().sum();
    assert!(timed * 8 < rounds.launch_ticks && rounds.launch_ticks < timed * 11);
    assert!(seen.len() > 20, "{}", seen.len());
}

#[test]
fn the_budget_ends_it() {
    let rounds = rounds(&["slow", "fast"], &plan("slow", 3), usize::MAX);
    let timed: u64 = rounds.ticks.iter().sum();
    assert!(timed < 6_000_000 && rounds.launch_ticks >= 6_000_000);
    assert!(rounds.round.last().is_some_and(|last| *last > 20));
}

#[test]
fn an_isolated_body_takes_no_turns() {
    let script = script();
    let mut arm = Iterated::new(|| script.advance(1), |()| Ok(()));
    let about = About {
        isolated: true,
        ..about()
    };
    let arm: &mut dyn Arm = &mut arm;
    let mut candidates = [Candidate { arm, about }];
    let names = vec!["isolated".to_owned()];
    let clock = Clock::scripted(&script);
    let mut next = |_: &Rounds| Next::Enough;
    let rounds = alternate(
        &mut candidates,
        names,
        &plan("x", 3),
        &clock,
        &mut next,
        &mut || (),
    );
    let why = rounds.expect_err("no rounds");
    assert!(why.contains("cannot be compared batch by batch"), "{why}");
}
