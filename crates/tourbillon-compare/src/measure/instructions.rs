//! Executes ops of builds instruction by instruction.

use std::ops::ControlFlow;

use tourbillon_builds::{Build, Executable};
use tourbillon_coordinator::runner::{step_case, step_plan};
use tourbillon_stepper::{Limits, Trace, step};
use tourbillon_tool::exit::Stop;
use tourbillon_tool::run_clock::ToolRunClock;

use super::candidate::{Candidate, settings};
use super::placed_builds::PlacedBuilds;
use super::spawner::{Side, Spawner};
use super::terms::Common;

/// Steps through a case of both builds, after its timed pairs; breaks when interrupted.
pub(super) fn step_both(
    candidate: &mut Candidate,
    common: &Common<'_>,
    placed: &PlacedBuilds<'_>,
) -> ControlFlow<()> {
    if candidate.fault.is_some() || candidate.launches.is_empty() {
        return ControlFlow::Continue(());
    }
    let limits = Limits::of_silence(common.timeout_ns);
    for side in 0..2 {
        let id = [&candidate.reference, &candidate.case.id][side];
        let mut spawner = common.spawner.alone(&placed.built(candidate.pair)[side]);
        let mut launches = step_case(&common.settings, id, |plan| {
            let launch = step(plan, limits, &mut spawner, common.run_clock)?;
            ControlFlow::Continue(launch.stepped)
        })?;
        for launch in &mut launches {
            launch.arm = Some(side as u8);
        }
        candidate.counts.stepped[side] = launches;
    }
    ControlFlow::Continue(())
}

/// Every instruction of an op of a case.
///
/// # Errors
///
/// Why it cannot be stepped.
pub fn trace(
    build: &Build,
    executable: &Executable,
    case: &str,
    limits: Limits,
) -> Result<Trace, String> {
    let text = |stop: Stop| stop.into_parts().1;
    let run_clock = ToolRunClock::start().map_err(text)?;
    let spawner = Spawner::new().map_err(text)?;
    let side = Side::of(build, executable);
    let plan = step_plan(&settings(&run_clock, 0, 1.0), case, 0);
    match step(&plan, limits, &mut spawner.alone(&side), &run_clock) {
        ControlFlow::Break(()) => Err("a signal stopped it".to_owned()),
        ControlFlow::Continue(launch) => match (launch.trace, launch.stepped.counts) {
            (Some(trace), _) => Ok(trace),
            (None, counts) => Err(counts.err().unwrap_or_default()),
        },
    }
}
