//! Bodies of which nothing is left: what takes as long as an empty loop measures no code.

use std::ops::ControlFlow;

use tourbillon_analysis::{Rules, Tally, estimate, typical_ticks_per_op};
use tourbillon_coordinator::runner::{WorkerOutcome, run_worker};
use tourbillon_record::{Absence, Fault, FaultKind};
use tourbillon_stats::Confidence;

use super::candidate::Candidate;
use super::placed_builds::PlacedBuilds;
use super::terms::Common;

/// Launches of a build: as many as an interval of 99 % needs, and more, of which some may be contended.
const LAUNCHES: u32 = 16;
/// Time for the batches of a launch.
const BATCHES_NS: u64 = 4_000_000;
/// A longer op is above the resolution: an empty loop takes a cycle an op, or less ..
const SHORT_OP_NS: f64 = 3.0;
/// .. unless all ops of a batch together are hardly longer than a step of a coarse clock.
const SHORT_BATCH_NS: f64 = 1_000.0;
/// A body that is less than a quarter shorter than before has not lost all of its work.
const LOST: f64 = 0.75;

/// Has a case fail whose body is below the resolution where that of the reference is not, or where the machine is too
/// busy to tell; breaks when interrupted.
pub(super) fn refuse_empty_body(
    candidate: &mut Candidate,
    common: &Common<'_>,
    placed: &PlacedBuilds<'_>,
) -> ControlFlow<()> {
    if !is_suspect(candidate, common) {
        return ControlFlow::Continue(());
    }
    let new = estimate_alone(candidate, 1, common, placed)?;
    if new.is_ok() || estimate_alone(candidate, 0, common, placed)? == below_resolution() {
        return ControlFlow::Continue(());
    }
    let message = if new == below_resolution() {
        ""
    } else {
        "on a busy machine it is not known whether anything is left of the body; try again"
    };
    // A fault of these launches stands already.
    candidate.fault.get_or_insert_with(|| {
        let fault = Fault {
            case: candidate.case.id.clone(),
            kind: FaultKind::EmptyBody,
            message: message.to_owned(),
            ..Fault::default()
        };
        (1, fault)
    });
    ControlFlow::Continue(())
}

const fn below_resolution() -> Result<f64, Absence> {
    Err(Absence::BelowResolution)
}

/// Whether ops of the newer build are short, and far shorter than those of the reference. Where nothing is left of a
/// body, a batch may be no longer than one of no ops.
fn is_suspect(candidate: &Candidate, common: &Common<'_>) -> bool {
    let nanos = |arm| {
        let ticks = typical_ticks_per_op(&candidate.launches, arm)?;
        Some(ticks * common.frequency().nanos_per_tick())
    };
    let ops = candidate.launches.first().and_then(|one| one.ops.get(1));
    let is_short =
        |new: f64| new < SHORT_OP_NS || ops.is_some_and(|ops| new * (*ops as f64) < SHORT_BATCH_NS);
    candidate.took_turns()
        && match (nanos(0), nanos(1)) {
            (Some(old), Some(new)) => new < LOST * old && is_short(new),
            (_, new) => new.is_none(),
        }
}

/// The estimate of one build from launches of its own, by the rules of a run. A fault is that of the case.
fn estimate_alone(
    candidate: &mut Candidate,
    side: usize,
    common: &Common<'_>,
    placed: &PlacedBuilds<'_>,
) -> ControlFlow<(), Result<f64, Absence>> {
    let id = [&candidate.reference, &candidate.case.id][side].clone();
    let mut spawner = common.spawner.alone(&placed.built(candidate.pair)[side]);
    let (mut launches, mut length) = (Vec::new(), None);
    for number in 0..LAUNCHES {
        let plan = common.settings.plan(&id, number, length, BATCHES_NS);
        match run_worker(&plan, common.timeout_ns, &mut spawner, common.run_clock) {
            WorkerOutcome::Launch(sent) => {
                length = length.or(Some(sent.samples.batch_shape));
                launches.push(*sent.samples);
            }
            WorkerOutcome::Fault(fault) => {
                candidate.fault = Some((side, fault));
                return ControlFlow::Continue(Err(Absence::Failed));
            }
            _ => return ControlFlow::Break(()),
        }
    }
    let rules = Rules {
        frequency: *common.frequency(),
        confidence: Confidence::P99,
        core_cache_bytes: None,
    };
    let results = estimate(&id, &launches, &Tally::default(), &rules);
    let main = results.into_iter().find(|result| result.metric.is_main());
    ControlFlow::Continue(main.map_or(Err(Absence::NotReached), |main| main.estimate))
}
