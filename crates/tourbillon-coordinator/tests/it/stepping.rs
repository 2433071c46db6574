//! Stepped launches after the timed ones.

use std::cell::RefCell;
use std::rc::Rc;

use tourbillon_analysis::synthetic::Model;
use tourbillon_coordinator::runner::{
    Act, CaseSettings, Ending, InMemory, Outcome, ScriptedRunClock, run,
};
use tourbillon_record::{Fault, FaultKind, Frame, Line, Metric, Note, Plan, Stepped, Steps};

use crate::stage::{Log, cases, measure, settings};

/// The answer of what steps: batches that took so many instructions.
fn answer(plan: &Plan, instructions: &[u64]) -> Frame {
    let iterations = [1, 2, 1];
    Frame::Stepped(Box::new(Stepped {
        case: plan.case.clone(),
        launch: plan.launch,
        counts: Ok(Steps {
            iterations: iterations[..instructions.len()].to_vec(),
            instructions: instructions.to_vec(),
            empty: vec![30, 32],
            ..Steps::default()
        }),
        ..Stepped::default()
    }))
}

fn fault(plan: &Plan, kind: FaultKind, message: &str) -> Frame {
    Frame::Fault(Fault {
        case: plan.case.clone(),
        launch: plan.launch,
        kind,
        message: message.to_owned(),
        ..Fault::default()
    })
}

/// A run of one case whose stepped launches answer so; with their plans and the lines of the record.
fn stepped(answer: impl Fn(&Plan) -> Frame + 'static) -> (Outcome, Vec<Line>, Vec<Plan>) {
    let run_clock = ScriptedRunClock::new();
    let plans = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&plans);
    let mut spawner = InMemory::new(&run_clock, move |plan, _, act| {
        if plan.stepped != Some(true) {
            return measure(&Model::default(), plan, act);
        }
        seen.borrow_mut().push(plan.clone());
        act(Act::Say(answer(plan)));
        act(Act::End(Ending::Exited(0)));
    })
    .stepping();
    let mut log = Log::default();
    let settings = settings(CaseSettings::default());
    let outcome = run(
        &cases(&["a"]),
        &[],
        &settings,
        &mut spawner,
        &run_clock,
        &mut log,
    );
    drop(spawner);
    let plans = Rc::into_inner(plans).unwrap().into_inner();
    (outcome, log.lines, plans)
}

/// The estimate and both ends of the instructions, and why there are none.
fn figures(outcome: &Outcome) -> (Vec<[f64; 3]>, Vec<String>) {
    let (mut figures, mut reasons) = (Vec::new(), Vec::new());
    for result in &outcome.results {
        if result.metric == Metric::Instructions {
            let ends = (result.lower.unwrap(), result.upper.unwrap());
            figures.push([result.estimate.unwrap(), ends.0, ends.1]);
        }
        reasons.extend(result.notes.iter().filter_map(|note| match note {
            Note::NotStepped { why } => Some(why.clone()),
            _ => None,
        }));
    }
    (figures, reasons)
}

#[test]
fn two_launches_that_agree_are_exact() {
    let (outcome, lines, plans) = stepped(|plan| match plan.launch {
        0 => answer(plan, &[133, 235, 133]),
        _ => answer(plan, &[133]),
    });
    assert_eq!(figures(&outcome), (vec![[100.0; 3]], Vec::new()));
    assert_eq!(plans.len(), 2);
    // The same in all runs.
    assert!(plans.iter().all(|plan| plan.seed == 0), "{plans:?}");
    // After all that is timed, before the results.
    let is_stepped = |line: &Line| matches!(line, Line::Stepped(_));
    let first = lines.iter().position(is_stepped);
    let result = lines
        .iter()
        .position(|line| matches!(line, Line::Result(_)));
    assert_eq!(first.map(|at| at + 2), result, "{lines:?}");
}

#[test]
fn a_second_launch_without_counts_takes_nothing_from_the_first() {
    let (outcome, lines, plans) = stepped(|plan| match plan.launch {
        0 => answer(plan, &[133, 235, 133]),
        _ => fault(plan, FaultKind::Hang(50_000), "in the set-up"),
    });
    assert_eq!(figures(&outcome), (vec![[100.0; 3]], Vec::new()));
    assert_eq!(plans.len(), 2);
    let count = lines.iter().filter(|line| matches!(line, Line::Stepped(_)));
    assert_eq!(count.count(), 1);
}

#[test]
fn what_cannot_be_stepped_has_a_reason() {
    let reasons = |answer: fn(&Plan) -> Frame| {
        let (outcome, _, plans) = stepped(answer);
        let (figures, reasons) = figures(&outcome);
        assert_eq!((figures, plans.len()), (Vec::new(), 1), "{reasons:?}");
        assert_eq!(outcome.faults, [], "it is measured all the same");
        reasons
    };
    let threads = reasons(|plan| {
        Frame::Stepped(Box::new(Stepped {
            case: plan.case.clone(),
            counts: Err("it has several threads".to_owned()),
            ..Stepped::default()
        }))
    });
    assert_eq!(threads, ["it has several threads"]);
    let spawn = reasons(|plan| fault(plan, FaultKind::Spawn, "it is not installed"));
    assert_eq!(spawn, ["it is not installed"]);
    let version = env!("CARGO_PKG_VERSION");
    for (other, expected) in [
        (
            reasons(|plan| fault(plan, FaultKind::Exit(1), "in the set-up")),
            "exits with code 1",
        ),
        (
            reasons(|_| Frame::Bye),
            "fails: the worker ended the launch without samples",
        ),
        (
            reasons(|plan| {
                let other = Plan {
                    case: "b".to_owned(),
                    ..plan.clone()
                };
                answer(&other, &[133, 235, 133])
            }),
            "fails: the worker sent counts of another launch",
        ),
    ] {
        let all = format!(
            "cargo-tourbillon, which steps ops, {expected}; install version {version}, that of tourbillon here"
        );
        assert_eq!(other, [all]);
    }
}
