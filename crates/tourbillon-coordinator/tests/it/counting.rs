//! Memory launches after the timed ones.

use std::cell::RefCell;
use std::rc::Rc;

use tourbillon_analysis::synthetic::Model;
use tourbillon_coordinator::runner::{
    Act, CaseSettings, Ending, InMemory, Outcome, ScriptedRunClock, run,
};
use tourbillon_record::{Counted, Fault, FaultKind, Frame, Line, Memory, Metric, Note, Plan};

use crate::stage::{Log, cases, measure, settings};

/// What a worker counts in its rows, one request of 64 bytes a time, or why it does not.
fn memory(plan: &Plan, allocs: Result<&[u64], &str>) -> Memory {
    let column = |times: u64| -> Vec<u64> {
        let counts = allocs.unwrap_or_default().iter();
        counts.map(|count| count * times).collect()
    };
    Memory {
        case: plan.case.clone(),
        launch: plan.launch,
        seed: plan.seed,
        pid: 7,
        started_unix_ns: 0,
        arm: None,
        terminal: "iter".to_owned(),
        drop_inside: false,
        ops_per_iteration: 1,
        iterations: vec![1, 1, 16, 64, 128],
        counts: match allocs {
            Err(why) => Err(why.to_owned()),
            Ok(_) => Ok(Counted {
                allocs: column(1),
                frees: column(1),
                reallocs_in_place: column(0),
                reallocs_moved: column(0),
                allocated_bytes: column(64),
                freed_bytes: column(64),
                copied_bytes: column(0),
                peak_bytes: column(64),
                requests_elsewhere: column(0),
            }),
        },
        resident: Err("the system does not tell".to_owned()),
        launch_ns: 1_000,
        unknown: String::new(),
    }
}

/// A run of one case whose memory launches answer so; with their plans and the lines of the record.
fn counted(mut answer: impl FnMut(&Plan) -> Frame + 'static) -> (Outcome, Vec<Line>, Vec<Plan>) {
    let run_clock = ScriptedRunClock::new();
    let plans = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&plans);
    let mut spawner = InMemory::new(&run_clock, move |plan, _, act| {
        if !plan.memory {
            return measure(&Model::default(), plan, act);
        }
        seen.borrow_mut().push(plan.clone());
        act(Act::Say(answer(plan)));
        act(Act::End(Ending::Exited(0)));
    })
    .counting();
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

/// Metric, estimate and both ends of what was counted.
fn figures(outcome: &Outcome) -> Vec<(Metric, f64, f64, f64)> {
    let mut figures = Vec::new();
    for result in &outcome.results {
        if result.metric.is_counted() {
            let (lower, upper) = (result.lower.unwrap(), result.upper.unwrap());
            figures.push((result.metric, result.estimate.unwrap(), lower, upper));
        }
    }
    figures
}

#[test]
fn two_launches_with_the_same_rows_are_exact() {
    let (outcome, lines, plans) =
        counted(|plan| Frame::Memory(Box::new(memory(plan, Ok(&[3, 1, 2, 8, 16])))));
    assert_eq!(
        figures(&outcome),
        [
            (Metric::Allocs, 0.125, 0.125, 0.125),
            (Metric::Bytes, 8.0, 8.0, 8.0),
            (Metric::Peak, 128.0, 128.0, 128.0),
            (Metric::Kept, 0.0, 0.0, 0.0),
            (Metric::Moved, 0.0, 0.0, 0.0),
        ]
    );
    assert_eq!(plans.len(), 2);
    assert_eq!(plans[0].batch_shape, None);
    let length = plans[1].batch_shape.unwrap();
    assert_eq!((length.windows, length.items), (1, 64));
    assert!(plans[0].budget_ns > 0 && plans[0].seed != plans[1].seed);
    // After all that is timed, before the results.
    let memory = |line: &&Line| matches!(line, Line::Memory(_));
    assert_eq!(lines.iter().filter(memory).count(), 2);
    assert!(matches!(lines[1 + 20 + 2], Line::Result(_)), "{lines:?}");
    assert_eq!(outcome.end.launches, 20);
    let notes = outcome.results.iter().flat_map(|result| &result.notes);
    assert_eq!(notes.count(), 0);
}

#[test]
fn launches_that_do_not_agree_give_a_range() {
    let (outcome, ..) = counted(|plan| {
        let allocs: &[u64] = match plan.launch {
            0 => &[1, 1, 16, 64, 128],
            _ => &[1, 1, 16, 128, 256],
        };
        Frame::Memory(Box::new(memory(plan, Ok(allocs))))
    });
    assert_eq!(figures(&outcome)[0], (Metric::Allocs, 1.5, 1.0, 2.0));
}

#[test]
fn what_cannot_be_counted_is_tried_once_and_has_a_reason() {
    let (outcome, _, plans) =
        counted(|plan| Frame::Memory(Box::new(memory(plan, Err("no meter")))));
    assert_eq!(figures(&outcome), []);
    assert_eq!(plans.len(), 1);
    let why = "no meter".to_owned();
    assert!(outcome.results[0].notes.contains(&Note::NotCounted { why }));
}

#[test]
fn a_launch_that_fails_costs_the_counts_only() {
    let (outcome, _, plans) = counted(|plan| {
        Frame::Fault(Fault {
            case: plan.case.clone(),
            launch: plan.launch,
            kind: FaultKind::Error,
            message: "no".to_owned(),
            location: None,
            stderr: String::new(),
            unknown: String::new(),
        })
    });
    assert_eq!(figures(&outcome), []);
    assert_eq!(plans.len(), 1);
    let why = "error: no".to_owned();
    assert!(outcome.results[0].notes.contains(&Note::NotCounted { why }));
    assert!(outcome.results[0].estimate.is_ok());
    assert_eq!((outcome.end.exit_code, outcome.faults.len()), (0, 0));
    // Counts of another case are none.
    let (outcome, ..) = counted(|plan| {
        let mut counts = memory(plan, Ok(&[1, 1, 16, 64, 128]));
        counts.case = "b".to_owned();
        Frame::Memory(Box::new(counts))
    });
    assert_eq!(figures(&outcome), []);
}
