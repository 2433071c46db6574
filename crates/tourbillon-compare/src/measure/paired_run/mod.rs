//! A pair of workers of two builds that take turns.

#[cfg(test)]
mod tests;

use tourbillon_coordinator::runner::launch_fault::{Panic, ended, fault, protocol, reported};
use tourbillon_coordinator::runner::silence::{SILENCE_NS, limit_ns, part_ns, waited_ns};
use tourbillon_coordinator::runner::{Event, PEER_GONE, RunClock, Worker};
use tourbillon_record::{Calls, Fault, FaultKind, Frame, Plan, Rounds};

/// Longest wait for one side before the other one has its turn.
const SLICE_NS: u64 = 1_000_000_000;

/// How far a launch was that ended without a message.
const TURNS: &str = "while the two builds took turns";

/// The outcome of a pair of workers.
#[derive(Debug)]
pub(super) enum PairedRun {
    /// The samples of both.
    Rounds(Box<Rounds>),
    /// No samples: which side failed, and why.
    Fault(usize, Fault),
    /// A signal stops the run.
    Interrupted,
}

/// How long two workers may be silent, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Silence {
    /// What was requested; `None` for the timeout of the case.
    pub(super) requested_ns: Option<u64>,
    /// The limit where the case has no timeout; `None` for that of a run.
    pub(super) else_ns: Option<u64>,
}

impl Silence {
    /// Silence that counts as a hang: of two timeouts that the builds give the case, the longer one.
    fn limit_ns(self, sides: &[Side; 2]) -> u64 {
        let of_case = sides[0].timeout_ns.max(sides[1].timeout_ns);
        let else_ns = self.else_ns.unwrap_or(SILENCE_NS);
        limit_ns(self.requested_ns.or(of_case), else_ns)
    }
}

/// What one side has sent.
#[derive(Default)]
struct Side {
    done: Option<Result<Box<Rounds>, Fault>>,
    panic: Panic,
    /// Whether it has come to its first call.
    began: bool,
    /// The timeout of the case in this build.
    timeout_ns: Option<u64>,
}

/// Lets two workers measure in turns, and puts their records together. `plans` are those that they were started
/// for, with the same seed, length and budget.
///
/// Both workers are ended; what they left on stderr is added to a fault.
pub(super) fn paired_run(
    mut workers: [Box<dyn Worker>; 2],
    plans: &[Plan; 2],
    silence: Silence,
    run_clock: &dyn RunClock,
) -> PairedRun {
    let end = turns(&mut workers, plans, silence, run_clock);
    let [first, mut second] = workers;
    let of_first = first.dismiss();
    let outcome = match end {
        Ok(outcome) => outcome,
        // A side that waits for its turn notices that its peer is gone; a side that hangs does not.
        Err(silence_ns) => match second.next(SLICE_NS) {
            Event::Interrupted => PairedRun::Interrupted,
            Event::Silent => hung(1, plans, silence_ns),
            _ => hung(0, plans, silence_ns),
        },
    };
    let mut stderr = [of_first.stderr, second.dismiss().stderr];
    match outcome {
        PairedRun::Fault(side, mut fault) => {
            if fault.stderr.is_empty() {
                fault.stderr = std::mem::take(&mut stderr[side]);
            }
            PairedRun::Fault(side, fault)
        }
        other => other,
    }
}

/// The outcome of the turns; or for how long neither side has sent anything after both had begun, as one of them
/// waits for the other.
fn turns(
    workers: &mut [Box<dyn Worker>; 2],
    plans: &[Plan; 2],
    allowed: Silence,
    run_clock: &dyn RunClock,
) -> Result<PairedRun, u64> {
    for (side, worker) in workers.iter_mut().enumerate() {
        if let Err(error) = worker.begin() {
            let fault = fault(&plans[side], FaultKind::Spawn, &error.to_string());
            return Ok(PairedRun::Fault(side, fault));
        }
    }
    let mut sides = [Side::default(), Side::default()];
    let mut silence = 0;
    // How many of the two were silent once more after the limit.
    let mut silent_sides = 0;
    // One side at a time, and mostly the one that ends first.
    let mut listening = 0;
    while sides.iter().any(|side| side.done.is_none()) {
        if silent_sides == sides.len() {
            // The first call of the first side comes before that of the second.
            return match sides.iter().position(|side| !side.began) {
                Some(side) => Ok(hung(side, plans, silence)),
                None => Err(silence),
            };
        }
        if sides[listening].done.is_some() {
            listening = 1 - listening;
        }
        let limit = allowed.limit_ns(&sides);
        let part = part_ns(limit).min(SLICE_NS);
        let wait_ns = part.min(limit.saturating_sub(silence));
        let before = run_clock.now_ns();
        match workers[listening].next(wait_ns) {
            Event::Silent => {
                silent_sides += usize::from(silence >= limit);
                silence += waited_ns(wait_ns, before, run_clock);
                listening = 1 - listening;
            }
            Event::Interrupted => return Ok(PairedRun::Interrupted),
            event => {
                (silence, silent_sides) = (0, 0);
                sides[listening].take(event, &plans[listening]);
            }
        }
        // The peer of a side that fails sends only that it is alone.
        if let Some(Err(_)) = &sides[listening].done {
            listening = 1 - listening;
        }
    }
    Ok(together(sides, plans))
}

/// The fault of a side that hangs.
fn hung(side: usize, plans: &[Plan; 2], silence_ns: u64) -> PairedRun {
    let kind = FaultKind::Hang(silence_ns / 1_000_000);
    PairedRun::Fault(side, fault(&plans[side], kind, TURNS))
}

impl Side {
    /// Takes an event of this side.
    fn take(&mut self, event: Event, plan: &Plan) {
        match event {
            Event::Frame(Frame::Rounds(rounds)) => {
                let checked = check_turns(&rounds, plan).map(|()| rounds);
                self.done = Some(checked.map_err(|what| protocol(plan, what)));
            }
            Event::Frame(Frame::Fault(fault)) => {
                self.done = Some(Err(reported(fault, plan, self.panic.take())));
            }
            Event::Frame(Frame::Panicking { message, location }) => {
                self.panic = Some((message, location));
            }
            Event::Frame(Frame::Progress {
                timeout_ns: Some(of_case),
                ..
            }) => self.timeout_ns = Some(of_case),
            Event::Frame(Frame::Progress { .. }) => self.began = true,
            Event::Launch(_) | Event::Frame(Frame::Plan(_) | Frame::Bye) => {
                let what = "the worker did not send the samples of a comparison";
                self.done = Some(Err(protocol(plan, what)));
            }
            Event::Garbled(what) => self.done = Some(Err(protocol(plan, &what))),
            Event::Ended(ending) => {
                self.done = Some(Err(ended(plan, ending, TURNS, self.panic.take())));
            }
            Event::Frame(_) | Event::Silent | Event::Interrupted => {}
        }
    }
}

/// Compares the samples of one side with its plan.
fn check_turns(rounds: &Rounds, plan: &Plan) -> Result<(), &'static str> {
    if rounds.cases != std::slice::from_ref(&plan.case)
        || rounds.launch != plan.launch
        || rounds.seed != plan.seed
    {
        return Err("the worker sent the samples of another comparison");
    }
    if rounds.ticks.is_empty() {
        return Err("the worker sent no samples");
    }
    Ok(())
}

/// The records of both sides as one.
fn together(sides: [Side; 2], plans: &[Plan; 2]) -> PairedRun {
    let is_consequence =
        |fault: &Fault| fault.kind == FaultKind::Error && fault.message == PEER_GONE;
    match sides.map(|side| side.done) {
        [Some(Ok(first)), Some(Ok(second))] => merged(*first, *second, plans),
        [Some(Err(first)), Some(Err(second))] if is_consequence(&first) => {
            PairedRun::Fault(1, second)
        }
        [Some(Err(fault)), _] => PairedRun::Fault(0, fault),
        [_, Some(Err(fault))] => PairedRun::Fault(1, fault),
        _ => PairedRun::Interrupted,
    }
}

fn merged(mut first: Rounds, mut second: Rounds, plans: &[Plan; 2]) -> PairedRun {
    let common = first.round.len().min(second.round.len());
    if first.round[..common] != second.round[..common]
        || first.arm[..common] != second.arm[..common]
    {
        let what = "the two workers did not keep to one order";
        return PairedRun::Fault(1, protocol(&plans[1], what));
    }
    first.round.truncate(common);
    first.arm.truncate(common);
    first.ticks.truncate(common);
    for (own, other) in first.ticks.iter_mut().zip(&second.ticks) {
        // One of the two is 0.
        *own += other;
    }
    first.cases.append(&mut second.cases);
    first.pids.append(&mut second.pids);
    first.ops.append(&mut second.ops);
    first.first_call_ticks.append(&mut second.first_call_ticks);
    first.fixed_ticks.append(&mut second.fixed_ticks);
    // A build of an earlier version reads none.
    first.probes = first
        .probes
        .zip(second.probes)
        .map(|(mut probes, mut others)| {
            probes.append(&mut others);
            probes
        });
    if first.calls.is_some() || second.calls.is_some() {
        // Where one build alone times calls, the other has none of them.
        let none = || vec![Calls::default()];
        let calls = first.calls.get_or_insert_with(none);
        calls.append(&mut second.calls.unwrap_or_else(none));
    }
    first.launch_ticks = first.launch_ticks.max(second.launch_ticks);
    PairedRun::Rounds(Box::new(first))
}
