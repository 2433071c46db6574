//! One worker's errand outside of the schedule of a run: a launch of a comparison of cases, or a look at
//! one.

use tourbillon_record::{Fault, FaultKind, Plan, Rounds, Visit};

use crate::attempt::{Attempt, attempt, fault};
use crate::plan::{draw, plan};
use crate::schedule::Turn;
use crate::{RunClock, Settings, SpawnWorker};

/// What came of an errand.
#[derive(Debug)]
pub enum WorkerOutcome {
    /// The samples of a visit.
    Visit(Box<Visit>),
    /// The samples of a launch of a comparison.
    Rounds(Box<Rounds>),
    /// No samples, and why.
    Fault(Fault),
    /// The run was told to stop.
    Interrupted,
}

/// Has a worker do what a plan says.
#[inline]
pub fn run_worker(
    plan: &Plan,
    timeout_ns: Option<u64>,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
) -> WorkerOutcome {
    if spawner.interrupted() {
        return WorkerOutcome::Interrupted;
    }
    let mut worker = match spawner.spawn(plan, &draw(plan)) {
        Ok(worker) => worker,
        Err(error) => {
            return WorkerOutcome::Fault(fault(plan, FaultKind::Spawn, &error.to_string()));
        }
    };
    let came = attempt(&mut *worker, plan, timeout_ns, run_clock);
    let left = worker.dismiss();
    match came {
        Attempt::Visit(visit) => WorkerOutcome::Visit(visit),
        Attempt::Rounds(rounds) => WorkerOutcome::Rounds(rounds),
        Attempt::Memory(_) => {
            WorkerOutcome::Fault(fault(plan, FaultKind::Protocol, "counted, not timed"))
        }
        Attempt::Interrupted => WorkerOutcome::Interrupted,
        Attempt::Fault(mut fault) => {
            if fault.stderr.is_empty() {
                fault.stderr = left.stderr;
            }
            WorkerOutcome::Fault(fault)
        }
    }
}

/// What the worker of one launch of a case is asked to do, with so much time for its batches: a look
/// at the case, which finds the length of its batches.
#[inline]
pub fn visit_plan(settings: &Settings, case: &str, launch: u32, budget_ns: u64) -> Plan {
    let turn = Turn {
        case: 0,
        launch,
        length: None,
    };
    plan(settings, case, turn, budget_ns)
}
