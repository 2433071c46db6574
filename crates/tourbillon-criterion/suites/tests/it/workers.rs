//! Workers of another coordinator, such as that of a comparison of builds: they know the id of their case alone.

use tourbillon_os::Executable;
use tourbillon_record::{FaultKind, Plan};
use tourbillon_runner::{Processes, RunClock, WorkerOutcome, run_worker};

use crate::suite::{OWN_MAIN, PLAIN, PRELUDES};

/// A clock that stands still, so that no worker hangs.
struct Still;

impl RunClock for Still {
    fn now_ns(&self) -> u64 {
        0
    }
}

fn launched(program: &str, case: &str) -> WorkerOutcome {
    let plan = Plan {
        case: case.to_owned(),
        clock: "monotonic".to_owned(),
        tick_hz: 1_000_000_000,
        budget_ns: 1_000_000,
        batch_ns: 100_000,
        min_iterations: 1,
        window_items: 1_024,
        window_bytes: 1 << 18,
        ..Plan::default()
    };
    run_worker(
        &plan,
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
        (OWN_MAIN, "group/count"),
        (PRELUDES, "needs the first"),
    ] {
        match launched(program, case) {
            WorkerOutcome::Launch(launch) => assert_eq!(launch.case, case),
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
