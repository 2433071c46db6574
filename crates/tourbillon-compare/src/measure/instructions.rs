//! Follows workers of both builds: executes their ops instruction by instruction, or counts events.

use std::ops::ControlFlow;

use tourbillon_builds::{Build, Executable};
use tourbillon_coordinator::runner::{count_plan, step_plan};
use tourbillon_record::Metric;
use tourbillon_stepper::{
    EventRounds, Limits, NotTraced, PAIRS, SteppedLaunch, Trace, step, step_case,
};
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
        let mut launches = step_case(&step_plan(&common.settings, id), |plan| {
            let launch = step(plan, limits, &mut spawner, common.run_clock);
            launch.map_continue(SteppedLaunch::counts)
        })?;
        for launch in &mut launches {
            launch.arm = Some(side as u8);
        }
        candidate.counts.stepped[side] = launches;
    }
    ControlFlow::Continue(())
}

/// Counts events in both builds of a case, after its timed pairs: in rounds, in which one build comes right after the
/// other, each first in every second one. Breaks when interrupted.
pub(super) fn count_both(
    candidate: &mut Candidate,
    common: &Common<'_>,
    placed: &PlacedBuilds<'_>,
    events: &[Metric],
) -> ControlFlow<()> {
    if candidate.fault.is_some() || candidate.launches.is_empty() {
        return ControlFlow::Continue(());
    }
    let limits = Limits::of_silence(common.timeout_ns);
    let names: Vec<&str> = events.iter().map(|metric| metric.name()).collect();
    let built = placed.built(candidate.pair);
    let ids = [&candidate.reference, &candidate.case.id];
    let plans = ids.map(|id| count_plan(&common.settings, id, &names.join(",")));
    let mut sides = plans
        .each_ref()
        .map(|plan| EventRounds::new(plan, PAIRS, common.run_clock));
    let mut order = [0, 1];
    while sides.iter().all(|side| side.goes_on(common.run_clock)) {
        for side in order {
            let mut spawner = common.spawner.alone(&built[side]);
            sides[side].round(&plans[side], limits, &mut spawner, common.run_clock)?;
        }
        order.reverse();
    }
    for (side, counting) in sides.into_iter().enumerate() {
        let mut launch = counting.finish(&plans[side], common.run_clock);
        launch.arm = Some(side as u8);
        candidate.counts.events[side] = Some(launch);
    }
    ControlFlow::Continue(())
}

/// Every instruction of an op of a case.
///
/// # Errors
///
/// Why it cannot be stepped; [`NotTraced::Long`] alone where the limits are too narrow for it.
pub fn trace(
    build: &Build,
    executable: &Executable,
    case: &str,
    limits: Limits,
) -> Result<Trace, (NotTraced, String)> {
    let text = |stop: Stop| (NotTraced::Otherwise, stop.into_parts().1);
    let run_clock = ToolRunClock::start().map_err(text)?;
    let spawner = Spawner::new().map_err(text)?;
    let side = Side::of(build, executable);
    let plan = step_plan(&settings(&run_clock, 0, 1.0), case);
    match step(&plan, limits, &mut spawner.alone(&side), &run_clock) {
        ControlFlow::Break(()) => Err((NotTraced::Otherwise, "a signal stopped it".to_owned())),
        ControlFlow::Continue(launch) => launch
            .trace
            .map_err(|kind| (kind, launch.stepped.counts.err().unwrap_or_default())),
    }
}
