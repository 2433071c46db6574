use tourbillon_os::Ending;
use tourbillon_record::{FaultKind, Frame, Place, Plan, Visit};

use crate::{Draw, Event, Hire, Watch, Worker};

/// Silence that counts as a hang where no other was asked for.
const SILENCE_NS: u64 = 30_000_000_000;
/// First calls that may pass in silence.
const SILENT_CALLS: u64 = 10;

/// What came of a visit.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// Samples.
    Visit(Box<Visit>),
    /// No samples, and why.
    Fault(Failure),
    /// The run was told to stop.
    Interrupted,
}

/// Why there are no samples.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: FaultKind,
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
    pub(crate) stderr: String,
}

/// Makes one visit: hires a worker, listens until it has said what it has to say, and sends it
/// away. The worker is gone when this returns, whatever happened.
pub(crate) fn attempt(
    hire: &mut dyn Hire,
    plan: &Plan,
    draw: &Draw,
    timeout_ns: Option<u64>,
    watch: &dyn Watch,
) -> Attempt {
    let mut worker = match hire.hire(plan, draw) {
        Ok(worker) => worker,
        Err(e) => return fault(FaultKind::Spawn, e.to_string()),
    };
    let heard = listen(&mut *worker, plan, timeout_ns, watch);
    let left = worker.dismiss();
    match heard {
        Attempt::Fault(mut failure) => {
            if failure.stderr.is_empty() {
                failure.stderr = left.stderr;
            }
            Attempt::Fault(failure)
        }
        other => other,
    }
}

fn listen(
    worker: &mut dyn Worker,
    plan: &Plan,
    timeout_ns: Option<u64>,
    watch: &dyn Watch,
) -> Attempt {
    let mut limit = timeout_ns.unwrap_or(SILENCE_NS);
    let mut panic: Option<(String, Option<Place>)> = None;
    let mut heard_at = watch.now_ns();
    loop {
        let silence = watch.now_ns().saturating_sub(heard_at);
        if silence >= limit {
            return fault(
                FaultKind::Hang(silence / 1_000_000),
                format!("no sign of life for {} s", silence / 1_000_000_000),
            );
        }
        let frame = match worker.next(limit - silence) {
            Event::Silent => continue,
            Event::Interrupted => return Attempt::Interrupted,
            Event::Garbled(what) => return fault(FaultKind::Protocol, what),
            Event::Ended(ending) => return ended(ending, panic),
            Event::Frame(frame) => frame,
        };
        heard_at = watch.now_ns();
        match frame {
            Frame::Hello(_) => {}
            Frame::Progress { first_call_ns } => {
                if timeout_ns.is_none() {
                    limit = SILENCE_NS.max(first_call_ns.saturating_mul(SILENT_CALLS));
                }
            }
            Frame::Panicking { message, place } => panic = Some((message, place)),
            Frame::Visit(visit) => return checked(visit, plan),
            Frame::Fault(said) => {
                // The hook saw where a caught panic started; the catcher does not know it.
                let (message, place) = match (panic, said.kind == FaultKind::Panic) {
                    (Some(panic), true) if said.place.is_none() => panic,
                    _ => (said.message, said.place),
                };
                return Attempt::Fault(Failure {
                    kind: said.kind,
                    message,
                    place,
                    stderr: said.stderr,
                });
            }
            Frame::Bye => return fault(FaultKind::Protocol, "said bye without samples"),
            Frame::Plan(_) => return fault(FaultKind::Protocol, "said a plan to its coordinator"),
        }
    }
}

fn fault(kind: FaultKind, message: impl Into<String>) -> Attempt {
    Attempt::Fault(Failure {
        kind,
        message: message.into(),
        place: None,
        stderr: String::new(),
    })
}

/// Why a worker ended before its samples came.
fn ended(ending: Ending, panic: Option<(String, Option<Place>)>) -> Attempt {
    // What a panic ends a process with: 101 from main, an abort where it may not unwind. A panic
    // that was caught before the process ended in another way is not the reason.
    let died_of_it = matches!(ending, Ending::Exited(101) | Ending::Signalled(6));
    if let Some((message, place)) = panic.filter(|_| died_of_it) {
        return Attempt::Fault(Failure {
            kind: FaultKind::Panic,
            message,
            place,
            stderr: String::new(),
        });
    }
    let kind = match ending {
        Ending::Exited(code) => FaultKind::Exit(code),
        Ending::Signalled(signal) => FaultKind::Signal(signal),
        Ending::NotSeen => FaultKind::Protocol,
    };
    fault(kind, format!("the worker {ending} before its samples came"))
}

/// Holds what a worker sent against what it was asked for.
fn checked(visit: Box<Visit>, plan: &Plan) -> Attempt {
    let batches = &visit.batches;
    let count = batches.ticks.len();
    let fits = |column: usize| column == 0 || column == count;
    let wrong = if visit.case != plan.case || visit.launch != plan.launch {
        Some("the samples of another visit")
    } else if batches.kind.len() != count
        || !fits(batches.pauses.len())
        || !fits(batches.labels.len())
    {
        Some("samples in columns of different lengths")
    } else if !batches.kind.contains(&1) {
        Some("no samples")
    } else if visit.length.windows == 0 || visit.length.items == 0 || visit.ops_per_iteration == 0 {
        Some("samples of no ops")
    } else {
        None
    };
    match wrong {
        Some(what) => fault(FaultKind::Protocol, format!("the worker sent {what}")),
        None => Attempt::Visit(visit),
    }
}
