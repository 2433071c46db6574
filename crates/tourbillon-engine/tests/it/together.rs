//! Several cases alive at once, measured batch by batch beside each other.

use std::ops::ControlFlow;

use tourbillon_clock::{Clock, Script};
use tourbillon_engine::{About, CaseOptions, Drive, Iterated, Suite, Visitor, compare};
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

const COSTS: [(&str, u64); 6] = [
    ("slow", 70),
    ("fast", 30),
    ("faster", 29),
    ("fails", 1),
    ("silent", 1),
    ("isolated", 1),
];

fn against(cases: &[&str]) -> Plan {
    Plan {
        against: Some(Against {
            cases: cases.iter().copied().map(str::to_owned).collect(),
            margin: 0.005,
            error: 0.001,
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
        asked == most
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
fn the_same_seed_makes_the_same_rounds() {
    let plan = against(&["fast"]);
    let (one, other) = (rounds(compared(&plan, 30)), rounds(compared(&plan, 30)));
    assert_eq!((&one.arm, &one.ticks), (&other.arm, &other.ticks));
    let reseeded = Plan { seed: 4, ..plan };
    assert_ne!(one.arm, rounds(compared(&reseeded, 30)).arm);
}

#[test]
fn the_budget_ends_it() {
    let rounds = rounds(compared(&against(&["fast"]), usize::MAX));
    let timed: u64 = rounds.ticks.iter().sum();
    assert!(timed < 6_000_000 && rounds.visit_ticks >= 6_000_000);
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
