//! One worker, from its plan to its end.

use tourbillon_os::Ending;
use tourbillon_record::{
    BatchShape, Fault, FaultKind, Frame, LaunchSamples, Memory, Plan, SourceLocation,
};

use crate::runner::observer::RunClock;
use crate::runner::worker::{Draw, Event, SentLaunch, SpawnWorker, Worker};

/// Silence that counts as a hang unless another was requested.
pub(crate) const SILENCE_NS: u64 = 30_000_000_000;
/// First calls, or set-ups, that may pass in silence.
const SILENT_CALLS: u64 = 10;
/// Longest time between two signs of life, so that a call may begin as long after the last one.
const BETWEEN_SIGNS_NS: u64 = 250_000_000;
/// The limit of silence is waited for in this many slices; see [`waited_ns`].
const PARTS: u64 = 16;

/// How far a launch had got when its worker ended without a message.
const FIRST_CALL: &str = "in the set-up or the first call of the body";
const MEASURING: &str = "after the first call of the body, before the samples came";

/// Message and place of a panic that a worker has reported, if any.
pub(crate) type Panic = Option<(String, Option<SourceLocation>)>;

/// The outcome of a worker.
#[derive(Debug)]
pub enum WorkerOutcome {
    /// The samples of a launch.
    Launch(SentLaunch),
    /// The counts of a memory launch.
    Memory(Box<Memory>),
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

/// Silence that counts as a hang with a timeout, or `else_ns` without one: calls that are shorter than the
/// timeout never hang.
pub(crate) fn limit_ns(timeout_ns: Option<u64>, else_ns: u64) -> u64 {
    timeout_ns.map_or(else_ns, |timeout| timeout.saturating_add(BETWEEN_SIGNS_NS))
}

/// The silence in nanoseconds that counts as a hang of a worker whose set-up was seen to take so long before: what was
/// asked for, or the default as `None`; but ten times the set-up if that is longer.
pub fn timeout_of_set_up(set_up_ns: u64, requested_ns: Option<u64>) -> Option<u64> {
    let needed_ns = set_up_ns.saturating_mul(SILENT_CALLS);
    match requested_ns {
        Some(requested_ns) => Some(requested_ns.max(needed_ns)),
        None => (needed_ns > SILENCE_NS).then_some(needed_ns),
    }
}

/// How long to wait at a time for a worker that may be silent so long.
pub(crate) fn part_ns(limit: u64) -> u64 {
    (limit / PARTS).max(1)
}

/// How much of a wait since `before` was silence of the worker: at most `wait_ns`. During the rest
/// the coordinator was stopped (Ctrl-Z, a frozen container or virtual machine), and perhaps the worker with it.
pub(crate) fn waited_ns(wait_ns: u64, before: u64, run_clock: &dyn RunClock) -> u64 {
    run_clock.now_ns().saturating_sub(before).min(wait_ns)
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

/// A fault of the launch of a plan.
pub(crate) fn fault(plan: &Plan, kind: FaultKind, message: &str) -> Fault {
    Fault {
        case: plan.case.clone(),
        launch: plan.launch,
        kind,
        message: message.to_owned(),
        ..Fault::default()
    }
}

/// A worker that broke the protocol.
pub(crate) fn protocol(plan: &Plan, what: &str) -> Fault {
    fault(plan, FaultKind::Protocol, what)
}

/// A fault that a worker has reported. Only the panic hook knows where a caught panic started.
pub(crate) fn reported(mut fault: Fault, plan: &Plan, panic: Panic) -> Fault {
    // Whatever names the worker gives, this was its launch.
    fault.case.clone_from(&plan.case);
    fault.launch = plan.launch;
    if fault.kind == FaultKind::Panic && fault.location.is_none() {
        add_panic(&mut fault, panic);
    }
    fault
}

/// Makes a fault that of a panic, if there was one.
fn add_panic(fault: &mut Fault, panic: Panic) {
    if let Some((message, location)) = panic {
        fault.kind = FaultKind::Panic;
        fault.message = message;
        fault.location = location;
    }
}

/// A worker that was silent for too long. The reason may be a panic: another thread waits for the one that is
/// gone.
fn hung(plan: &Plan, silence_ns: u64, stage: &str, panic: Panic) -> Fault {
    let kind = FaultKind::Hang(silence_ns / 1_000_000);
    let mut fault = fault(plan, kind, stage);
    if let Some((message, location)) = panic {
        fault.message = format!("{stage}, after a panic: {message}");
        fault.location = location;
    }
    fault
}

/// A worker that ended before its samples came.
pub(crate) fn ended(plan: &Plan, ending: Ending, stage: &str, panic: Panic) -> Fault {
    let (kind, message) = match ending {
        Ending::Exited(code) => (FaultKind::Exit(code), stage),
        Ending::Signalled(signal) => (FaultKind::Signal(signal), stage),
        Ending::NotSeen => (FaultKind::Protocol, "the worker did not end"),
    };
    let mut fault = fault(plan, kind, message);
    // A panic ends a process with 101 from main, or aborts it where it may not unwind. A process that ended in
    // another way had caught its panic.
    if ending == Ending::Exited(101) || ending.is_abort() {
        add_panic(&mut fault, panic);
    }
    fault
}
