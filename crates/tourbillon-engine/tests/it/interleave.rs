//! Several cases alive at once, measured batch by batch in turn.

use std::ops::ControlFlow;

use tourbillon_clock::{Clock, Script};
use tourbillon_engine::{
    About, Arm, Candidate, CaseOptions, Drive, Iterated, Next, Suite, Visitor, alternate, compare,
};
use tourbillon_record::{Against, Case, FaultKind, Frame, Plan, Rounds};

use crate::stage::{FIXED, about, plan, script};

/// Cases that take so many ticks an op; each borrows from its own stack frame.
struct Costs<'c> {
    script: &'c Script,
    costs: &'c [(&'c str, u64)],
}

impl Suite for Costs<'_> {
    fn visit(&self, visitor: &mut dyn Visitor) {
        for &(id, cost) in self.costs {
            let case = Case {
                id: id.to_owned(),
                ..Case::default()
            };
            let mut body = |driver: &mut dyn Drive| {
                let cost = match id {
                    "fails" => return Err("no luck".to_owned()),
                    "silent" => return Ok(()),
                    _ => cost,
                };
                let about = About {
                    isolated: id == "isolated",
                    ..about()
                };
                let mut arm = Iterated::new(|| self.script.advance(cost), |()| Ok(()));
                driver.drive(&mut arm, about);
                Ok(())
            };
            let flow = visitor.case(&case, &CaseOptions::default(), &mut body);
            if let ControlFlow::Break(()) = flow {
                return;
            }
        }
    }
}

const COSTS: [(&str, u64); 8] = [
    ("slow", 70),
    ("fast", 30),
    ("faster", 29),
    ("fails", 1),
    ("silent", 1),
    ("isolated", 1),
    ("long", 50_000),
    ("alike", 50_000),
];

fn against(cases: &[&str]) -> Plan {
    Plan {
        against: Some(Against {
            cases: cases.iter().copied().map(str::to_owned).collect(),
            margin: 0.005,
            error: 0.001,
            lead_in: 1,
        }),
        ..plan("slow", 3)
    }
}

/// What comes of a comparison that is enough after so many rounds.
fn compared(plan: &Plan, most: usize) -> Vec<Frame> {
    let script = script();
    let suite = Costs {
        script: &script,
        costs: &COSTS,
    };
    let clock = Clock::scripted(&script);
    let mut frames = Vec::new();
    let mut asked = 0;
    let mut enough = |_: &Rounds| {
        asked += 1;
        if asked == most {
            Next::Enough
        } else {
            Next::More
        }
    };
    compare(&suite, plan, &clock, &mut enough, &mut |frame| {
        frames.push(frame)
    });
    frames
}

fn rounds(frames: Vec<Frame>) -> Rounds {
    match frames.into_iter().next_back() {
        Some(Frame::Rounds(rounds)) => *rounds,
        other => panic!("{other:?}"),
    }
}

#[test]
fn arms_take_turns_in_a_random_order() {
    let plan = Plan {
        budget_ns: 100_000_000,
        ..against(&["fast", "faster"])
    };
    let rounds = rounds(compared(&plan, 40));
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
    let plan = Plan {
        budget_ns: 100_000_000,
        ..against(&["long"])
    };
    let rounds = rounds(compared(&plan, 4));
    assert_eq!((rounds.ops[0] % 8, rounds.ops[1]), (0, 8));
}

#[test]
fn the_same_seed_makes_the_same_rounds() {
    let plan = against(&["fast"]);
    let (one, other) = (rounds(compared(&plan, 30)), rounds(compared(&plan, 30)));
    assert_eq!((&one.arm, &one.ticks), (&other.arm, &other.ticks));
    let reseeded = Plan { seed: 4, ..plan };
    assert_ne!(one.arm, rounds(compared(&reseeded, 30)).arm);
}

/// For each round, whether the second of two arms came before the first, wherever the control was.
fn tosses(seed: u64, count: usize) -> Vec<bool> {
    let plan = Plan {
        budget_ns: 1_000_000_000,
        against: against(&["alike"]).against,
        ..plan("long", seed)
    };
    let rounds = rounds(compared(&plan, count));
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
    let script = script();
    let suite = Costs {
        script: &script,
        costs: &COSTS,
    };
    let clock = Clock::scripted(&script);
    let plan = Plan {
        budget_ns: 100_000_000,
        ..against(&["fast"])
    };
    let mut seen = Vec::new();
    let mut next = |rounds: &Rounds| {
        seen.push((rounds.lead_in, rounds.round.last().copied()));
        Next::LongerTurns { if_not: false }
    };
    let mut frames = Vec::new();
    compare(&suite, &plan, &clock, &mut next, &mut |frame| {
        frames.push(frame);
    });
    // Each begins with its first round, and is noted alone.
    assert_eq!(seen[..3], [(1, Some(0)), (8, Some(0)), (64, Some(0))]);
    let rounds = rounds(frames);
    assert_eq!(rounds.lead_in, 64);
    assert_eq!(rounds.round.first(), Some(&0));
    // Every batch after eight of its own; two arms and now and then the control.
    let timed: u64 = rounds.ticks.iter().sum();
    assert!(timed * 8 < rounds.launch_ticks && rounds.launch_ticks < timed * 11);
    assert!(seen.len() > 20, "{}", seen.len());
}

#[test]
fn the_budget_ends_it() {
    let rounds = rounds(compared(&against(&["fast"]), usize::MAX));
    let timed: u64 = rounds.ticks.iter().sum();
    assert!(timed < 6_000_000 && rounds.launch_ticks >= 6_000_000);
    assert!(rounds.round.last().is_some_and(|last| *last > 20));
}

#[test]
fn what_cannot_be_compared_is_a_fault() {
    for (other, kind, words) in [
        ("fails", FaultKind::Error, "no luck"),
        ("silent", FaultKind::NoTerminal, ""),
        ("missing", FaultKind::UnknownCase, ""),
        (
            "isolated",
            FaultKind::Error,
            "cannot be compared batch by batch",
        ),
    ] {
        let frames = compared(&against(&[other]), 10);
        let Some(Frame::Fault(fault)) = frames.last() else {
            panic!("{frames:?}");
        };
        assert_eq!(fault.kind, kind, "{other}");
        assert!(fault.message.contains(words), "{fault:?}");
    }
}
