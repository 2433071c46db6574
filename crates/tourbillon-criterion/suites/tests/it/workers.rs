//! Workers of another coordinator, such as that of a comparison of builds: they know the id of their case alone.

use std::io;

use tourbillon_coordinator::runner::{
    Draw, Event, Processes, RunClock, SpawnWorker, Worker, WorkerOutcome, run_worker,
};
use tourbillon_os::{Executable, InheritedPipe};
use tourbillon_record::{BatchShape, FaultKind, Frame, Plan, Rounds, Turns};

use crate::suite::{OWN_MAIN, PLAIN, PRELUDES, TRAPS};

/// A clock that stands still, so that no worker hangs.
struct Still;

impl RunClock for Still {
    fn now_ns(&self) -> u64 {
        0
    }
}

fn plan(case: &str) -> Plan {
    Plan {
        case: case.to_owned(),
        clock: "monotonic".to_owned(),
        tick_hz: 1_000_000_000,
        budget_ns: 1_000_000,
        batch_ns: 100_000,
        min_iterations: 1,
        window_items: 1_024,
        window_bytes: 1 << 18,
        ..Plan::default()
    }
}

fn launched(program: &str, case: &str) -> WorkerOutcome {
    run_worker(
        &plan(case),
        None,
        &mut Processes::of(Executable::at(program)),
        &Still,
    )
}

#[test]
fn a_worker_finds_its_case_by_its_id() {
    for (program, case) in [
        (PLAIN, "fib 12 #2"),
        (PLAIN, "by hand"),
        (TRAPS, "repeated #2 #2"),
        (OWN_MAIN, "group/count"),
        (PRELUDES, "needs the first"),
    ] {
        match launched(program, case) {
            WorkerOutcome::Launch(sent) => assert_eq!(sent.samples.case, case),
            other => panic!("{case}: {other:?}"),
        }
    }
}

#[test]
fn a_worker_reports_a_case_that_it_does_not_have() {
    for program in [PLAIN, OWN_MAIN] {
        match launched(program, "fib 12 #3") {
            WorkerOutcome::Fault(fault) => assert_eq!(fault.kind, FaultKind::UnknownCase),
            other => panic!("{other:?}"),
        }
    }
}

/// What a worker of a pair measured.
fn rounds(worker: &mut dyn Worker) -> Rounds {
    loop {
        match worker.next(30_000_000_000) {
            Event::Frame(Frame::Rounds(rounds)) => return *rounds,
            Event::Frame(Frame::Hello(_) | Frame::Progress { .. }) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn two_benchmarks_of_a_suite_take_turns() {
    let (from_first, to_second) = io::pipe().expect("a pipe");
    let (from_second, to_first) = io::pipe().expect("a pipe");
    let mut plans = ["fib 10", "sum/iter/10"].map(|case| Plan {
        batch_shape: Some(BatchShape::of_items(64)),
        ..plan(case)
    });
    let mut processes = Processes::of(Executable::at(PLAIN));
    let mut start = |side: u8, input: &io::PipeReader, output: &io::PipeWriter| {
        let input = InheritedPipe::new(input).expect("a copy");
        let output = InheritedPipe::new(output).expect("a copy");
        let plan = &mut plans[usize::from(side)];
        plan.turns = Some(Box::new(Turns {
            side,
            input: input.path(),
            output: output.path(),
        }));
        let draw = Draw {
            environment_bytes: 0,
        };
        processes.spawn(plan, &draw).expect("a worker")
    };
    let first = start(0, &from_second, &to_second);
    let second = start(1, &from_first, &to_first);
    // The workers hold the other ends: one that ends early ends its peer.
    drop((from_first, from_second, to_first, to_second));
    let mut workers = [first, second];
    for worker in &mut workers {
        worker.begin().expect("it reads its plan");
    }
    let [first, second] = workers.each_mut().map(|worker| rounds(&mut **worker));
    assert_eq!(
        (&*first.cases, &*second.cases),
        (&["fib 10".to_owned()][..], &["sum/iter/10".to_owned()][..])
    );
    assert_eq!([&*first.ops, &*second.ops], [[64]; 2]);
    assert_ne!(first.pids, second.pids);
    assert_eq!(first.round, second.round);
    assert!(!first.ticks.is_empty());
}
