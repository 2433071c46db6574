//! Systems and processors on which nothing is stepped.

use std::ops::ControlFlow;

use tourbillon_coordinator::runner::{NOT_HERE, RunClock, SpawnWorker};
use tourbillon_record::Plan;

use crate::launch::{Limits, NotTraced, SteppedLaunch, not_stepped};

/// Steps through the batches of a worker; breaks when interrupted.
pub fn step(
    plan: &Plan,
    _limits: Limits,
    _spawner: &mut dyn SpawnWorker,
    _run_clock: &dyn RunClock,
) -> ControlFlow<(), SteppedLaunch> {
    ControlFlow::Continue(SteppedLaunch {
        stepped: not_stepped(plan, NOT_HERE.to_owned()),
        trace: Err(NotTraced::Otherwise),
    })
}
