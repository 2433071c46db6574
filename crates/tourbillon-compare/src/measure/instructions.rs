//! Executes ops of both builds instruction by instruction, after the timed pairs.

use std::ops::ControlFlow;

use tourbillon_coordinator::runner::{step_case, step_plan};

use super::candidate::Candidate;
use super::placed_builds::PlacedBuilds;
use super::terms::Common;

/// Steps through a case that was measured; breaks when interrupted.
pub(super) fn step_both(
    candidate: &mut Candidate,
    common: &Common<'_>,
    placed: &PlacedBuilds<'_>,
) -> ControlFlow<()> {
    if candidate.fault.is_some() || candidate.launches.is_empty() {
        return ControlFlow::Continue(());
    }
    for side in 0..2 {
        let id = [&candidate.reference, &candidate.case.id][side];
        let plan = step_plan(&common.settings, id);
        let mut spawner = common.spawner.alone(&placed.built(candidate.pair)[side]);
        let mut launches = step_case(
            &plan,
            common.timeout_ns,
            None,
            &mut spawner,
            common.run_clock,
        )?;
        for launch in &mut launches {
            launch.arm = Some(side as u8);
        }
        candidate.counts.stepped[side] = launches;
    }
    ControlFlow::Continue(())
}
