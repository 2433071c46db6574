//! Stepped launches after the timed ones.

use std::cell::RefCell;
use std::rc::Rc;

use tourbillon_analysis::synthetic::Model;
use tourbillon_coordinator::runner::{
    Act, CaseSettings, Ending, InMemory, Outcome, ScriptedRunClock, run,
};
use tourbillon_record::{
    CaseResult, Fault, FaultKind, Followed, Frame, Line, Metric, Note, Plan, Stepped, Steps,
};

use crate::stage::{Log, cases, measure, settings};

/// The answer of what steps: so many instructions of an op.
fn answer(plan: &Plan, instructions: f64) -> Frame {
    let result = CaseResult {
        estimate: Ok(instructions),
        ..CaseResult::without_figures(&plan.case, Metric::Instructions, "stepped-1")
    };
    let launch = |launch| Stepped {
        case: plan.case.clone(),
        launch,
        counts: Ok(Steps::default()),
        ..Stepped::default()
    };
    Frame::Followed(Box::new(Followed {
        launches: vec![launch(0), launch(1)],
        results: vec![result],
        notes: Vec::new(),
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

/// A run of one case with these counters, for which another program answers so; with its plans and the lines of the
/// record.
fn counted(
    counters: &[Metric],
    answer: impl Fn(&Plan) -> Frame + 'static,
) -> (Outcome, Vec<Line>, Vec<Plan>) {
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
    .followed(counters);
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

fn stepped(answer: impl Fn(&Plan) -> Frame + 'static) -> (Outcome, Vec<Line>, Vec<Plan>) {
    counted(&[Metric::Instructions], answer)
}

/// The instructions, and why there are none.
fn figures(outcome: &Outcome) -> (Vec<f64>, Vec<String>) {
    let (mut figures, mut reasons) = (Vec::new(), Vec::new());
    for result in &outcome.results {
        if result.metric == Metric::Instructions {
            figures.push(result.estimate.unwrap());
        }
        reasons.extend(result.notes.iter().filter_map(|note| match note {
            Note::NotStepped { why } | Note::EventsAbsent { why } => Some(why.clone()),
            _ => None,
        }));
    }
    (figures, reasons)
}

#[test]
fn what_another_program_found_is_in_the_record() {
    let (outcome, lines, plans) = stepped(|plan| answer(plan, 100.0));
    assert_eq!(figures(&outcome), (vec![100.0], Vec::new()));
    // The same in all runs.
    assert_eq!(plans.len(), 1);
    assert_eq!((plans[0].seed, plans[0].events.as_deref()), (0, None));
    // After all that is timed, before the results.
    let is_stepped = |line: &Line| matches!(line, Line::Stepped(_));
    let first = lines.iter().position(is_stepped);
    let result = lines
        .iter()
        .position(|line| matches!(line, Line::Result(_)));
    assert_eq!(first.map(|at| at + 2), result, "{lines:?}");
}

#[test]
fn events_are_asked_for_by_name_apart_from_instructions() {
    let counters = [Metric::MinorFaults, Metric::Instructions, Metric::Ipc];
    let (outcome, _, plans) = counted(&counters, |plan| match &plan.events {
        None => answer(plan, 100.0),
        Some(_) => fault(plan, FaultKind::Spawn, "it is not installed"),
    });
    let events: Vec<Option<&str>> = plans.iter().map(|plan| plan.events.as_deref()).collect();
    assert_eq!(events, [None, Some("minor_faults,ipc")]);
    let why = "minor_faults,ipc: it is not installed".to_owned();
    assert_eq!(figures(&outcome), (vec![100.0], vec![why]));
    let (_, _, none) = counted(&[], |plan| answer(plan, 1.0));
    assert_eq!(none, []);
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
    let threads = reasons(|_| {
        let why = "it has several threads".to_owned();
        Frame::Followed(Box::new(Followed {
            notes: vec![Note::NotStepped { why }],
            ..Followed::default()
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
                answer(&other, 100.0)
            }),
            "fails: the worker sent counts of another case",
        ),
    ] {
        let all = format!(
            "cargo-tourbillon, which steps ops, {expected}; install version {version}, that of tourbillon here"
        );
        assert_eq!(other, [all]);
    }
}
