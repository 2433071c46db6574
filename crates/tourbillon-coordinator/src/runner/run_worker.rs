//! One worker, from its plan to its end.

use tourbillon_record::{
    BatchShape, Fault, FaultKind, Followed, Frame, LaunchSamples, Memory, Plan,
};

use crate::runner::launch_fault::{Panic, ended, fault, hung, protocol, reported};
use crate::runner::observer::RunClock;
use crate::runner::silence::{SILENCE_NS, SILENT_CALLS, limit_ns, part_ns, waited_ns};
use crate::runner::worker::{Draw, Event, SentLaunch, SpawnWorker, Worker};

/// How far a launch had got when its worker ended without a message.
const FIRST_CALL: &str = "in the set-up or the first call of the body";
const MEASURING: &str = "after the first call of the body, before the samples came";

/// The outcome of a worker.
#[derive(Debug)]
pub enum WorkerOutcome {
    /// The samples of a launch.
    Launch(SentLaunch),
    /// The counts of a memory launch.
    Memory(Box<Memory>),
    /// What another program found out about the ops, or why it did not.
    Followed(Box<Followed>),
    /// No samples, and why.
    Fault(Fault),
    /// A signal stops the run.
    Interrupted,
}

/// Has a worker do what a plan asks for. Without a timeout, the case's own applies, which its worker knows.
pub fn run_worker(
    plan: &Plan,
    timeout_ns: Option<u64>,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
) -> WorkerOutcome {
    if spawner.interrupted() {
        return WorkerOutcome::Interrupted;
    }
    let mut worker = match spawner.spawn(plan, &Draw::of(plan)) {
        Ok(worker) => worker,
        Err(error) => return fault(plan, FaultKind::Spawn, &error.to_string()).into(),
    };
    let mut outcome = outcome(&mut *worker, plan, timeout_ns, run_clock);
    let left = worker.dismiss();
    if let WorkerOutcome::Fault(fault) = &mut outcome
        && fault.stderr.is_empty()
    {
        fault.stderr = left.stderr;
    }
    outcome
}

impl From<Fault> for WorkerOutcome {
    fn from(fault: Fault) -> WorkerOutcome {
        WorkerOutcome::Fault(fault)
    }
}

/// Lets a worker begin, and reads its frames up to the one that ends the launch.
pub(crate) fn outcome(
    worker: &mut dyn Worker,
    plan: &Plan,
    mut timeout_ns: Option<u64>,
    run_clock: &dyn RunClock,
) -> WorkerOutcome {
    if let Err(error) = worker.begin() {
        return fault(plan, FaultKind::Spawn, &error.to_string()).into();
    }
    let mut limit = limit_ns(timeout_ns, SILENCE_NS);
    let mut stage = FIRST_CALL;
    let mut panic: Panic = None;
    let mut silence = 0;
    loop {
        if silence >= limit {
            return hung(plan, silence, stage, panic).into();
        }
        let wait_ns = part_ns(limit).min(limit - silence);
        let before = run_clock.now_ns();
        let frame = match worker.next(wait_ns) {
            Event::Silent => {
                silence += waited_ns(wait_ns, before, run_clock);
                continue;
            }
            Event::Interrupted => return WorkerOutcome::Interrupted,
            Event::Ended(ending) => return ended(plan, ending, stage, panic).into(),
            Event::Garbled(what) => return protocol(plan, &what).into(),
            Event::Launch(sent) => {
                return match check_launch(&sent.samples, plan) {
                    Ok(()) => WorkerOutcome::Launch(sent),
                    Err(what) => protocol(plan, what).into(),
                };
            }
            Event::Frame(frame) => frame,
        };
        silence = 0;
        match frame {
            Frame::Progress {
                timeout_ns: Some(of_case),
                ..
            } => {
                timeout_ns = timeout_ns.or(Some(of_case));
                limit = limit_ns(timeout_ns, limit);
            }
            Frame::Progress { first_call_ns, .. } => {
                stage = MEASURING;
                let patience = first_call_ns.saturating_mul(SILENT_CALLS);
                limit = limit_ns(timeout_ns, SILENCE_NS.max(patience));
            }
            Frame::Panicking { message, location } => panic = Some((message, location)),
            Frame::Fault(fault) => return reported(fault, plan, panic).into(),
            frame => match end_of_launch(frame, plan) {
                Ok(None) => {}
                Ok(Some(outcome)) => return outcome,
                Err(what) => return protocol(plan, what).into(),
            },
        }
    }
}

/// The outcome of a frame without samples that ends a launch, `None` for others; or what is wrong with it.
fn end_of_launch(frame: Frame, plan: &Plan) -> Result<Option<WorkerOutcome>, &'static str> {
    match frame {
        Frame::Rounds(_) => Err("the worker sent a comparison in place of a launch"),
        Frame::Memory(memory) if plan.memory => {
            if memory.case != plan.case || memory.iterations.first() != Some(&1) {
                return Err("the worker sent counts of another launch");
            }
            Ok(Some(WorkerOutcome::Memory(memory)))
        }
        Frame::Followed(followed) if plan.stepped == Some(true) => {
            let launches = followed.launches.iter().map(|launch| &launch.case);
            let mut cases = launches.chain(followed.results.iter().map(|result| &result.case));
            if cases.any(|case| *case != plan.case) {
                return Err("the worker sent counts of another case");
            }
            Ok(Some(WorkerOutcome::Followed(followed)))
        }
        Frame::Bye => Err("the worker ended the launch without samples"),
        Frame::Plan(_) => Err("the worker sent a plan"),
        _ => Ok(None),
    }
}

/// Compares the samples of a worker with its plan.
fn check_launch(samples: &LaunchSamples, plan: &Plan) -> Result<(), &'static str> {
    let batches = &samples.batches;
    let count = batches.ticks.len();
    let fits = |column: usize| column == 0 || column == count;
    let team = samples.team.as_ref();
    let BatchShape { windows, items, .. } = samples.batch_shape;
    if samples.case != plan.case || samples.launch != plan.launch {
        return Err("the worker sent the samples of another launch");
    }
    if batches.kind.len() != count
        || !fits(batches.pauses.len())
        || team.is_some_and(|team| team.start_spread_ticks.len() != count)
    {
        return Err("the worker sent samples in columns of different lengths");
    }
    // A launch that begins contended ends without a batch, if it knows the limit.
    let may_be_empty = plan.contended_from.is_some() && batches.kind.is_empty();
    if !batches.kind.contains(&1) && !may_be_empty {
        return Err("the worker sent no samples");
    }
    if windows == 0 || items == 0 || samples.ops_per_iteration == 0 {
        return Err("the worker sent samples of no ops");
    }
    Ok(())
}
