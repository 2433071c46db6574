//! Bodies of which nothing is left: what takes as long as an empty loop measures no code.

use std::ops::ControlFlow;

use tourbillon_analysis::{Rules, Tally, estimate, typical_ticks_per_op};
use tourbillon_coordinator::runner::{WorkerOutcome, run_worker};
use tourbillon_record::{Absence, Fault, FaultKind, LaunchSamples};
use tourbillon_stats::Confidence;

use super::candidate::Candidate;
use super::placed_builds::PlacedBuilds;
use super::terms::Common;

/// Launches of a build: as many as an interval of 99 % needs, and some that may be contended.
const LAUNCHES: u32 = 12;
/// As many once more where the machine was too busy, so many times.
const TRIES: u32 = 3;
/// Time for the batches of a launch.
const BATCHES_NS: u64 = 4_000_000;
/// A longer op is above the resolution on every machine, also where a batch has one op and the clock is coarse.
const SHORT_NS: f64 = 200.0;

/// What a build shows of a body when it is launched alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    Seen,
    /// It cannot be distinguished from an empty loop.
    BelowResolution,
    /// The machine is too busy to tell.
    Unknown,
}

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
    let of_new = body(candidate, 1, common, placed)?;
    // A fault of the launches stands already.
    if of_new == Body::Seen || candidate.fault.is_some() {
        return ControlFlow::Continue(());
    }
    if body(candidate, 0, common, placed)? == Body::BelowResolution {
        return ControlFlow::Continue(());
    }
    let message = match of_new {
        Body::Unknown => "whether anything is left is unknown on a busy machine; try again",
        Body::Seen | Body::BelowResolution => "",
    };
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

/// Whether ops of the newer build are short, and shorter than those of the reference. Of a body that is gone, no batch
/// may be longer than one of no ops.
fn is_suspect(candidate: &Candidate, common: &Common<'_>) -> bool {
    let nanos = |arm| {
        let ticks = typical_ticks_per_op(&candidate.launches, arm)?;
        Some(ticks * common.frequency().nanos_per_tick())
    };
    candidate.took_turns()
        && match (nanos(0), nanos(1)) {
            (Some(old), Some(new)) => new < old && new < SHORT_NS,
            (_, new) => new.is_none(),
        }
}

/// Launches one build alone. A fault is that of the case.
fn body(
    candidate: &mut Candidate,
    side: usize,
    common: &Common<'_>,
    placed: &PlacedBuilds<'_>,
) -> ControlFlow<(), Body> {
    let id = [&candidate.reference, &candidate.case.id][side].clone();
    let mut spawner = common.spawner.alone(&placed.built(candidate.pair)[side]);
    let (mut launches, mut length) = (Vec::new(), None);
    for _ in 0..TRIES {
        for _ in 0..LAUNCHES {
            let number = launches.len() as u32;
            let plan = common.settings.plan(&id, number, length, BATCHES_NS);
            match run_worker(&plan, common.timeout_ns, &mut spawner, common.run_clock) {
                WorkerOutcome::Launch(sent) => {
                    length = length.or(Some(sent.samples.batch_shape));
                    launches.push(*sent.samples);
                }
                WorkerOutcome::Fault(fault) => {
                    candidate.fault = Some((side, fault));
                    return ControlFlow::Continue(Body::Unknown);
                }
                _ => return ControlFlow::Break(()),
            }
        }
        let found = found(&id, &launches, common);
        if found != Body::Unknown {
            return ControlFlow::Continue(found);
        }
    }
    ControlFlow::Continue(Body::Unknown)
}

/// As in a run, whose rule this is.
fn found(id: &str, launches: &[LaunchSamples], common: &Common<'_>) -> Body {
    let rules = Rules {
        frequency: *common.frequency(),
        confidence: Confidence::P99,
        core_cache_bytes: None,
    };
    let results = estimate(id, launches, &Tally::default(), &rules);
    let main = results.iter().find(|result| result.metric.is_main());
    match main.map(|result| result.estimate) {
        Some(Ok(_)) => Body::Seen,
        Some(Err(Absence::BelowResolution)) => Body::BelowResolution,
        _ => Body::Unknown,
    }
}
