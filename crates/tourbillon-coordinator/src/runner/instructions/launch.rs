//! One stepped launch: a worker, from its start to its last batch.

use std::cell::Cell;
use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use tourbillon_os::{Tracee, set_random_addresses};
use tourbillon_record::{Frame, Plan, Stepped};

use super::call_tree::CallTree;
use super::failure::{Failure, not_stepped};
use super::stepper::{Stepper, steps};
use super::steps_file::StepsFile;
use crate::runner::memory::not_counted;
use crate::runner::observer::RunClock;
use crate::runner::silence::{SILENCE_NS, limit_ns};
use crate::runner::worker::{Draw, Event, SpawnWorker, Worker};

/// Batches of ops of the first launch, if they are not steady; the last ones of the worker.
const MOST: usize = 7;
/// Longest time for stepping, in nanoseconds: for a busy machine.
const LONGEST_NS: u64 = 20_000_000_000;
/// How long a worker that has ended may take to say why.
const LAST_WORDS_NS: u64 = 1_000_000_000;

/// Steps through the batches of a worker, `left` instructions at most.
pub(super) fn stepped_launch(
    plan: &Plan,
    timeout_ns: Option<u64>,
    left: u64,
    file: Option<PathBuf>,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
) -> ControlFlow<(), Stepped> {
    let began_ns = run_clock.now_ns();
    // Where the system forbids it, as some containers do, addresses differ from process to process.
    let was_random = set_random_addresses(false);
    let worker = spawner.spawn(plan, &Draw::fixed());
    if let Ok(true) = was_random {
        let _ = set_random_addresses(true);
    }
    let absent = |why: String| ControlFlow::Continue(not_stepped(plan, why));
    let mut worker = match worker {
        Ok(worker) => worker,
        Err(error) => return absent(error.to_string()),
    };
    let Some(pid) = worker.process() else {
        return absent("the worker is no process".to_owned());
    };
    let tracee = match Tracee::seize(pid) {
        Ok(tracee) => tracee,
        Err(error) => {
            worker.dismiss();
            return absent(not_permitted(&error));
        }
    };
    let stepping_since = Cell::new(None);
    let silence_ns = limit_ns(timeout_ns, SILENCE_NS);
    let spawner: &dyn SpawnWorker = spawner;
    let time_left = |steps: bool| {
        if spawner.interrupted() {
            return Err(Failure::Interrupted);
        }
        let now = run_clock.now_ns();
        if steps && stepping_since.get().is_none() {
            stepping_since.set(Some(now));
        }
        match stepping_since.get() {
            Some(since) if now.saturating_sub(since) > LONGEST_NS => Err(Failure::Late),
            None if now.saturating_sub(began_ns) > silence_ns => Err(Failure::absent(
                "it does not come to its ops in time; raise --timeout",
            )),
            _ => Ok(()),
        }
    };
    let mut stepper = Stepper {
        tracee,
        pid,
        most: if plan.launch == 0 { MOST } else { 1 },
        time_left: &time_left,
        code: HashMap::new(),
        vdso: 0..0,
        tree: CallTree::default(),
        executed: 0,
        left,
    };
    let batches = match worker.begin() {
        Ok(()) => stepper.batches(),
        Err(error) => Err(Failure::Absent(error.to_string())),
    };
    let counts = match batches {
        Ok(batches) => {
            let counts = steps(&batches);
            let written =
                file.map(|path| StepsFile::of(plan, &counts, &batches, &stepper).write(&path));
            match written {
                Some(Err(error)) => {
                    Err(format!("the file of its steps cannot be written: {error}"))
                }
                _ if counts.iterations.is_empty() => Err(why_ended(&mut *worker)),
                _ => Ok(counts),
            }
        }
        Err(Failure::Absent(why)) => Err(why),
        Err(Failure::Late) => Err(format!(
            "{} instructions were executed, and did not suffice for the four ops that are needed; have an op do less",
            stepper.executed
        )),
        Err(Failure::Ended) => Err(why_ended(&mut *worker)),
        Err(Failure::Interrupted) => {
            worker.dismiss();
            return ControlFlow::Break(());
        }
    };
    worker.dismiss();
    ControlFlow::Continue(Stepped {
        counts,
        launch_ns: run_clock.now_ns().saturating_sub(began_ns),
        ..not_stepped(plan, String::new())
    })
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
