//! One launch of a worker that is followed, from its start to its last batch.

mod batch;
mod call_tree;
mod counting;
mod failure;
mod one_op;
mod opcode;
mod perf_events;
mod stepper;
mod system_calls;

use std::cell::Cell;
use std::ffi::OsString;
use std::io;
use std::ops::ControlFlow;

use tourbillon_coordinator::runner::{Draw, Event, RunClock, SpawnWorker, Worker, not_counted};
use tourbillon_os::{Tracee, set_random_addresses};
use tourbillon_record::{Frame, Plan, Stepped, Steps};

pub(crate) use self::counting::count;
pub(crate) use self::perf_events::PerfEvents;

use self::batch::{Batch, counts};
use self::failure::Failure;
use self::one_op::trace;
use self::stepper::Stepper;
use crate::launch::{Limits, NotTraced, SteppedLaunch, not_stepped};
use crate::trace::Trace;

/// Batches of ops of the first launch, if they are not steady; the last ones of the worker.
const MOST: usize = 7;
/// How long a worker that has ended may take to say why.
const LAST_WORDS_NS: u64 = 1_000_000_000;
/// Bytes of a page of the stack.
const PAGE: usize = 4096;

/// Steps through the batches of a worker; breaks when interrupted.
pub fn step(
    plan: &Plan,
    limits: Limits,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
) -> ControlFlow<(), SteppedLaunch> {
    let began_ns = run_clock.now_ns();
    // Where the system forbids it, as some containers do, addresses differ from process to process.
    let was_random = set_random_addresses(false);
    let started = start(plan, &same_stack(), spawner);
    if let Ok(true) = was_random {
        let _ = set_random_addresses(true);
    }
    let (mut worker, pid, tracee) = match started {
        Ok(started) => started,
        Err(why) => return absent(plan, why),
    };
    let spawner: &dyn SpawnWorker = spawner;
    let time_left = time_left(began_ns, limits, spawner, run_clock);
    let most = if plan.launch == 0 { MOST } else { 1 };
    let mut stepper = Stepper::new(tracee, pid, most, limits.instructions, &time_left);
    let mut batches = Vec::new();
    let ended = match worker.begin() {
        Ok(()) => stepper.step_batches(&mut batches),
        Err(error) => Err(Failure::Absent(error.to_string())),
    };
    let executed = stepper.executed().min(limits.instructions);
    let is_late = matches!(ended, Err(Failure::Late));
    let seen = match ended {
        // One op is enough for a trace, though not for counts.
        Ok(()) | Err(Failure::Late) => counts_and_trace(&batches, &stepper),
        Err(failure) => Err(failure),
    };
    let ops_per_iteration = stepper.ops_per_iteration;
    let too_many = format!(
        "its ops take more than {executed} instructions, too many to execute one by one; have an op do less"
    );
    let (counts, trace) = match seen {
        Ok((_, trace)) if is_late => (Err(too_many), Ok(trace)),
        Ok((counts, trace)) => (Ok(counts), Ok(trace)),
        Err(_) if is_late => (Err(too_many), Err(NotTraced::Long(executed))),
        Err(Failure::Absent(why)) => (Err(why), Err(NotTraced::Otherwise)),
        Err(Failure::Ended | Failure::Late) => {
            (Err(why_ended(&mut *worker)), Err(NotTraced::Otherwise))
        }
        Err(Failure::Interrupted) => {
            worker.dismiss();
            return ControlFlow::Break(());
        }
    };
    worker.dismiss();
    let stepped = Stepped {
        ops_per_iteration,
        counts,
        launch_ns: run_clock.now_ns().saturating_sub(began_ns),
        ..not_stepped(plan, String::new())
    };
    ControlFlow::Continue(SteppedLaunch { stepped, trace })
}

/// Starts a worker, and follows it. It waits for its plan.
fn start(
    plan: &Plan,
    draw: &Draw,
    spawner: &mut dyn SpawnWorker,
) -> Result<(Box<dyn Worker>, u32, Tracee), String> {
    let worker = spawner.spawn(plan, draw);
    let worker = worker.map_err(|error| error.to_string())?;
    let pid = worker.process().ok_or("the worker is no process")?;
    match Tracee::seize(pid) {
        Ok(tracee) => Ok((worker, pid, tracee)),
        Err(error) => {
            worker.dismiss();
            Err(not_permitted(&error))
        }
    }
}

/// Fails when there is no time left, of that for ops if they have begun.
fn time_left<'r>(
    began_ns: u64,
    limits: Limits,
    spawner: &'r dyn SpawnWorker,
    run_clock: &'r dyn RunClock,
) -> impl Fn(bool) -> Result<(), Failure> + 'r {
    let ops_since = Cell::new(None);
    move |has_ops: bool| {
        if spawner.interrupted() {
            return Err(Failure::Interrupted);
        }
        let now = run_clock.now_ns();
        if has_ops && ops_since.get().is_none() {
            ops_since.set(Some(now));
        }
        match ops_since.get() {
            Some(since) if now.saturating_sub(since) > limits.stepping_ns => Err(Failure::Late),
            None if now.saturating_sub(began_ns) > limits.until_ops_ns => Err(Failure::absent(
                "it does not come to its ops in time; raise --timeout",
            )),
            _ => Ok(()),
        }
    }
}

/// The counts of batches and one op of them, while the worker stands after the last one.
fn counts_and_trace(batches: &[Batch], stepper: &Stepper<'_>) -> Result<(Steps, Trace), Failure> {
    let counts = counts(batches);
    if counts.iterations.is_empty() {
        return Err(Failure::Ended);
    }
    let trace = trace(&counts, batches, stepper);
    Ok((counts, trace))
}

fn absent(plan: &Plan, why: String) -> ControlFlow<(), SteppedLaunch> {
    ControlFlow::Continue(SteppedLaunch {
        stepped: not_stepped(plan, why),
        trace: Err(NotTraced::Otherwise),
    })
}

/// The same stack in all runs, as far as the environment moves it: fills the pages that this process's takes.
fn same_stack() -> Draw {
    // A variable has its sign, an end, and a pointer.
    let bytes = |(name, value): (OsString, OsString)| name.len() + value.len() + 10;
    let taken: usize = std::env::vars_os().map(bytes).sum();
    Draw {
        environment_bytes: (PAGE - taken % PAGE) as u32,
    }
}

/// Why a worker has ended before its ops were over.
fn why_ended(worker: &mut dyn Worker) -> String {
    loop {
        match worker.next(LAST_WORDS_NS) {
            Event::Frame(Frame::Fault(fault)) => return not_counted(&fault),
            Event::Frame(_) => {}
            Event::Ended(ending) => return format!("the worker {ending}"),
            _ => return "the worker stopped without a reason".to_owned(),
        }
    }
}

/// Why a process cannot be followed, and what to do.
fn not_permitted(error: &io::Error) -> String {
    format!(
        "the system does not permit this process to trace its worker ({error}); in a container, permit ptrace \
         (--cap-add SYS_PTRACE), elsewhere set kernel.yama.ptrace_scope to 1"
    )
}
