use tourbillon_os::Ending;
use tourbillon_record::Memory;
use tourbillon_record::{Fault, FaultKind, Frame, Place, Plan, Rounds, Visit};

use crate::{Event, RunClock, Worker};

/// Silence that counts as a hang where no other was asked for.
pub(crate) const SILENCE_NS: u64 = 30_000_000_000;
/// First calls that may pass in silence.
const SILENT_CALLS: u64 = 10;
/// A worker sends a sign of life no more often than this, so that a call may begin as long after the last
/// one.
const BETWEEN_SIGNS_NS: u64 = 250_000_000;
/// Silence is waited for in so many parts; see [`waited_ns`].
const PARTS: u64 = 16;

/// How far a visit was that ended without a word: what the kind of the fault does not say.
const FIRST_CALL: &str = "in the set-up or the first call of the body";
const MEASURING: &str = "after the first call of the body, before the samples came";

/// What a worker said of a panic, if it did, and where that was.
pub(crate) type Panic = Option<(String, Option<Place>)>;

/// What came of a visit.
pub(crate) enum Attempt {
    /// Samples.
    Visit(Box<Visit>),
    /// Samples of arms that are compared.
    Rounds(Box<Rounds>),
    /// Counts; only where the plan asks for them.
    Memory(Box<Memory>),
    /// No samples, and why.
    Fault(Fault),
    /// The run was told to stop.
    Interrupted,
}

/// Makes one visit: lets the worker begin, and listens until it has said what it has to say. Without a
/// timeout that of the case holds, which its worker knows.
pub(crate) fn attempt(
    worker: &mut dyn Worker,
    plan: &Plan,
    mut timeout_ns: Option<u64>,
    run_clock: &dyn RunClock,
) -> Attempt {
    if let Err(e) = worker.begin() {
        return Attempt::Fault(fault(plan, FaultKind::Spawn, &e.to_string()));
    }
    let mut limit = limit_ns(timeout_ns, SILENCE_NS);
    let mut stage = FIRST_CALL;
    let mut panic: Panic = None;
    let mut silence = 0;
    loop {
        if silence >= limit {
            return Attempt::Fault(hung(plan, silence, stage, &mut panic));
        }
        let asked = part_ns(limit).min(limit - silence);
        let before = run_clock.now_ns();
        let frame = match worker.next(asked) {
            Event::Silent => {
                silence += waited_ns(asked, before, run_clock);
                continue;
            }
            Event::Interrupted => return Attempt::Interrupted,
            Event::Ended(ending) => return Attempt::Fault(ended(plan, ending, stage, &mut panic)),
            Event::Garbled(what) => return unheard_of(plan, &what),
            Event::Frame(frame) => frame,
        };
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
            Frame::Panicking { message, place } => panic = Some((message, place)),
            Frame::Fault(said) => return Attempt::Fault(placed(said, plan, &mut panic)),
            frame => {
                if let Some(attempt) = answered(frame, plan) {
                    return attempt;
                }
            }
        }
        silence = 0;
    }
}

/// Silence that counts as a hang where a timeout holds, or else without one: calls that are shorter than the
/// timeout never do.
pub(crate) fn limit_ns(timeout_ns: Option<u64>, else_ns: u64) -> u64 {
    timeout_ns.map_or(else_ns, |timeout| timeout.saturating_add(BETWEEN_SIGNS_NS))
}

/// How long to wait at once for a worker that may be silent so long.
pub(crate) fn part_ns(limit: u64) -> u64 {
    (limit / PARTS).max(1)
}

/// How much of a wait since `before` was silence of the worker: no more than the wait was asked to take. The
/// rest is time in which the coordinator was stopped (Ctrl-Z, a frozen container or virtual machine), and
/// maybe the worker with it.
pub(crate) fn waited_ns(asked: u64, before: u64, run_clock: &dyn RunClock) -> u64 {
    run_clock.now_ns().saturating_sub(before).min(asked)
}

/// What comes of a visit by a frame with which it ends; `None` for others.
#[inline(never)]
fn answered(frame: Frame, plan: &Plan) -> Option<Attempt> {
    Some(match frame {
        Frame::Rounds(rounds) => match wrong_rounds(&rounds, plan) {
            None => Attempt::Rounds(rounds),
            Some(what) => unheard_of(plan, &format!("the worker sent {what}")),
        },
        Frame::Visit(visit) => match wrong(&visit, plan) {
            None => Attempt::Visit(visit),
            Some(what) => unheard_of(plan, &format!("the worker sent {what}")),
        },
        Frame::Memory(memory) if plan.memory => {
            if memory.case == plan.case && memory.iterations.first() == Some(&1) {
                Attempt::Memory(memory)
            } else {
                unheard_of(plan, "the worker sent counts of something else")
            }
        }
        Frame::Bye => unheard_of(plan, "said bye without samples"),
        Frame::Plan(_) => unheard_of(plan, "said a plan to its coordinator"),
        _ => return None,
    })
}

/// A visit whose worker broke the protocol.
#[cold]
fn unheard_of(plan: &Plan, what: &str) -> Attempt {
    Attempt::Fault(fault(plan, FaultKind::Protocol, what))
}

/// A fault of the visit of a plan.
#[cold]
pub(crate) fn fault(plan: &Plan, kind: FaultKind, message: &str) -> Fault {
    Fault {
        case: plan.case.clone(),
        launch: plan.launch,
        kind,
        message: message.to_owned(),
        place: None,
        stderr: String::new(),
        unknown: String::new(),
    }
}

/// What a worker says of its own fault. The hook saw where a caught panic started; the catcher does
/// not know it.
#[cold]
pub(crate) fn placed(mut said: Fault, plan: &Plan, panic: &mut Panic) -> Fault {
    // Whatever it calls itself, it was hired for this visit.
    said.case.clone_from(&plan.case);
    said.launch = plan.launch;
    if matches!(said.kind, FaultKind::Panic) && said.place.is_none() {
        blame(&mut said, panic);
    }
    said
}

/// Puts a fault down to a panic, where there was one.
#[cold]
fn blame(fault: &mut Fault, panic: &mut Panic) {
    if let Some((message, place)) = panic.take() {
        fault.kind = FaultKind::Panic;
        fault.message = message;
        fault.place = place;
    }
}

/// Why a worker was given up. A panic may be the reason: another thread waits for the one that is gone.
#[cold]
fn hung(plan: &Plan, silence_ns: u64, stage: &str, panic: &mut Panic) -> Fault {
    let kind = FaultKind::Hang(silence_ns / 1_000_000);
    let mut fault = fault(plan, kind, stage);
    if let Some((message, place)) = panic.take() {
        fault.message.push_str(", after a panic: ");
        fault.message.push_str(&message);
        fault.place = place;
    }
    fault
}

/// Why a worker ended before its samples came.
#[cold]
pub(crate) fn ended(plan: &Plan, ending: Ending, stage: &str, panic: &mut Panic) -> Fault {
    // What a panic ends a process with: 101 from main, an abort where it may not unwind. A panic
    // that was caught before the process ended in another way is not the reason.
    let died_of_it = matches!(ending, Ending::Exited(101) | Ending::Signalled(6));
    let (kind, message) = match ending {
        Ending::Exited(code) => (FaultKind::Exit(code), stage),
        Ending::Signalled(signal) => (FaultKind::Signal(signal), stage),
        Ending::NotSeen => (FaultKind::Protocol, "the worker did not end when told to"),
    };
    let mut fault = fault(plan, kind, message);
    if died_of_it {
        blame(&mut fault, panic);
    }
    fault
}

/// Holds what a worker sent against what it was asked for.
#[inline(never)]
fn wrong(visit: &Visit, plan: &Plan) -> Option<&'static str> {
    let batches = &visit.batches;
    let count = batches.ticks.len();
    let fits = |column: usize| column == 0 || column == count;
    let apart = visit.team.as_ref().map(|team| team.apart_ticks.len());
    if visit.case != plan.case || visit.launch != plan.launch || plan.against.is_some() {
        Some("the samples of another visit")
    } else if batches.kind.len() != count
        || !fits(batches.pauses.len())
        || apart.is_some_and(|column| column != count)
    {
        Some("samples in columns of different lengths")
    } else if !batches.kind.contains(&1)
        && (plan.contended_from.is_none() || !batches.kind.is_empty())
    {
        // A launch that was told what contention looks like ends without a batch where it begins with it.
        Some("no samples")
    } else if visit.length.windows == 0 || visit.length.items == 0 || visit.ops_per_iteration == 0 {
        Some("samples of no ops")
    } else {
        None
    }
}

/// Holds what a worker sent against the comparison that it was asked for.
#[inline(never)]
fn wrong_rounds(rounds: &Rounds, plan: &Plan) -> Option<&'static str> {
    let Some(against) = &plan.against else {
        return Some("a comparison that nobody asked for");
    };
    let same = match rounds.cases.split_first() {
        Some((first, others)) => *first == plan.case && others == against.cases,
        None => false,
    };
    if !same || rounds.launch != plan.launch {
        Some("the samples of another comparison")
    } else if rounds.ticks.is_empty() {
        Some("no samples")
    } else {
        None
    }
}

/// Holds what a worker sent against the turns that it was asked to take.
#[inline]
pub(crate) fn wrong_turns(rounds: &Rounds, plan: &Plan) -> Option<&'static str> {
    if rounds.cases.as_slice() != std::slice::from_ref(&plan.case)
        || rounds.launch != plan.launch
        || rounds.seed != plan.seed
    {
        Some("the samples of another comparison")
    } else if rounds.ticks.is_empty() {
        Some("no samples")
    } else {
        None
    }
}
