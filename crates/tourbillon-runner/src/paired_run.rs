//! A pair of workers of two builds that take turns.

use tourbillon_record::{Fault, FaultKind, Frame, Plan, Rounds};

use crate::attempt::{SILENCE_NS, ended, fault, limit_ns, part_ns, placed, waited_ns, wrong_turns};
use crate::{Event, RunClock, Worker};

/// How long one side is listened to before the other one is, at most.
const SLICE_NS: u64 = 1_000_000_000;

/// What a worker says whose partner has gone away while the two took turns: not what went wrong, but
/// its consequence.
pub const PEER_GONE: &str = "the worker of the other build is gone";

/// What came of a pair of workers.
#[derive(Debug)]
pub enum PairedRun {
    /// The samples of both.
    Rounds(Box<Rounds>),
    /// No samples: which side failed, and why.
    Fault(usize, Fault),
    /// The run was told to stop.
    Interrupted,
}

/// What was heard of one side.
struct Side {
    done: Option<Result<Box<Rounds>, Fault>>,
    panic: Option<(String, Option<tourbillon_record::Place>)>,
    /// Whether it has got as far as its first call.
    began: bool,
    /// Silence that counts as a hang, by what the case says of itself in this build.
    timeout_ns: Option<u64>,
}

/// How long two workers may be silent, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silence {
    /// What was asked for; `None` for what the case says of itself.
    pub asked_ns: Option<u64>,
    /// Where that is nothing either; `None` for as long as in a run.
    pub else_ns: Option<u64>,
}

impl Silence {
    /// Silence that counts as a hang: of two that the builds say of the case, the longer one.
    #[inline]
    fn limit_ns(self, sides: &[Side; 2]) -> u64 {
        let of_case = sides[0].timeout_ns.max(sides[1].timeout_ns);
        limit_ns(
            self.asked_ns.or(of_case),
            self.else_ns.unwrap_or(SILENCE_NS),
        )
    }
}

/// Lets two workers measure in turns, and puts their records together. `plans` are those that they
/// were hired for, with the same seed, length and budget.
///
/// Both are sent away at the end; what they left on stderr is added to a fault.
///
/// `#[inline]`: compiled into the program that compares builds, not into every bench binary.
#[inline]
pub fn paired_run(
    mut workers: [Box<dyn Worker>; 2],
    plans: &[Plan; 2],
    silence: Silence,
    run_clock: &dyn RunClock,
) -> PairedRun {
    let ended_by = fight(&mut workers, plans, silence, run_clock);
    let [first, mut second] = workers;
    let of_first = first.dismiss();
    let ended_by = match ended_by {
        TurnsEnd::Ended(duel) => duel,
        TurnsEnd::Stuck { silence_ns } => {
            // Who waits for its turn notices that its partner is gone; who hangs notices nothing.
            let side = match second.next(SLICE_NS) {
                Event::Interrupted => None,
                Event::Silent => Some(1),
                _ => Some(0),
            };
            side.map_or(PairedRun::Interrupted, |side| {
                stuck(side, plans, silence_ns)
            })
        }
    };
    let left = [of_first.stderr, second.dismiss().stderr];
    match ended_by {
        PairedRun::Fault(side, mut fault) => {
            if fault.stderr.is_empty() {
                fault.stderr.clone_from(&left[side]);
            }
            PairedRun::Fault(side, fault)
        }
        other => other,
    }
}

/// What came of the turns.
enum TurnsEnd {
    Ended(PairedRun),
    /// Both had begun, and neither is heard: one of them waits for the other.
    Stuck {
        silence_ns: u64,
    },
}

#[inline]
fn fight(
    workers: &mut [Box<dyn Worker>; 2],
    plans: &[Plan; 2],
    allowed: Silence,
    run_clock: &dyn RunClock,
) -> TurnsEnd {
    for (side, worker) in workers.iter_mut().enumerate() {
        if let Err(error) = worker.begin() {
            let text = error.to_string();
            let fault = fault(&plans[side], FaultKind::Spawn, &text);
            return TurnsEnd::Ended(PairedRun::Fault(side, fault));
        }
    }
    let mut sides = [(); 2].map(|()| Side {
        done: None,
        panic: None,
        began: false,
        timeout_ns: None,
    });
    let mut silence = 0;
    // How many of the two had nothing to say after that was enough.
    let mut mute = 0;
    // One side at a time, and mostly the one that ends first.
    let mut listening = 0;
    while sides.iter().any(|side| side.done.is_none()) {
        if mute == sides.len() {
            // The first call of the first comes before that of the second.
            return match sides.iter().position(|side| !side.began) {
                Some(side) => TurnsEnd::Ended(stuck(side, plans, silence)),
                None => TurnsEnd::Stuck {
                    silence_ns: silence,
                },
            };
        }
        if sides[listening].done.is_some() {
            listening = 1 - listening;
        }
        let limit = allowed.limit_ns(&sides);
        let part = part_ns(limit).min(SLICE_NS);
        let asked = part.min(limit.saturating_sub(silence));
        let before = run_clock.now_ns();
        match workers[listening].next(asked) {
            Event::Silent => {
                mute += usize::from(silence >= limit);
                silence += waited_ns(asked, before, run_clock);
                listening = 1 - listening;
            }
            Event::Interrupted => return TurnsEnd::Ended(PairedRun::Interrupted),
            event => {
                (silence, mute) = (0, 0);
                take(&mut sides[listening], event, &plans[listening]);
            }
        }
        // Who fails takes the other along, which then says no more than that.
        if let Some(Err(_)) = &sides[listening].done {
            listening = 1 - listening;
        }
    }
    TurnsEnd::Ended(together(sides, plans))
}

/// The fault of a side that hangs.
#[inline]
fn stuck(side: usize, plans: &[Plan; 2], silence_ns: u64) -> PairedRun {
    let kind = FaultKind::Hang(silence_ns / 1_000_000);
    PairedRun::Fault(side, fault(&plans[side], kind, TURNS))
}

/// How far a visit was that ended without a word.
const TURNS: &str = "while the two builds took turns";

/// Notes what one side said.
#[inline]
fn take(side: &mut Side, event: Event, plan: &Plan) {
    let protocol = |what: &str| Some(Err(fault(plan, FaultKind::Protocol, what)));
    match event {
        Event::Frame(Frame::Rounds(rounds)) => {
            side.done = match wrong_turns(&rounds, plan) {
                None => Some(Ok(rounds)),
                Some(what) => protocol(&format!("the worker sent {what}")),
            };
        }
        Event::Frame(Frame::Fault(said)) => {
            side.done = Some(Err(placed(said, plan, &mut side.panic)));
        }
        Event::Frame(Frame::Panicking { message, place }) => side.panic = Some((message, place)),
        Event::Frame(Frame::Progress {
            timeout_ns: Some(of_case),
            ..
        }) => side.timeout_ns = Some(of_case),
        Event::Frame(Frame::Progress { .. }) => side.began = true,
        Event::Frame(Frame::Visit(_) | Frame::Plan(_) | Frame::Bye) => {
            side.done = protocol("said something else than the samples of a comparison");
        }
        Event::Garbled(what) => side.done = protocol(&what),
        Event::Ended(ending) => {
            side.done = Some(Err(ended(plan, ending, TURNS, &mut side.panic)));
        }
        Event::Frame(_) | Event::Silent | Event::Interrupted => {}
    }
}

/// The records of both sides as one.
#[inline]
fn together(sides: [Side; 2], plans: &[Plan; 2]) -> PairedRun {
    let [first, second] = sides.map(|side| side.done);
    match (first, second) {
        (Some(Ok(first)), Some(Ok(second))) => merged(*first, *second, plans),
        (Some(Err(of_first)), Some(Err(of_second)))
            if of_first.kind == FaultKind::Error && of_first.message == PEER_GONE =>
        {
            PairedRun::Fault(1, of_second)
        }
        (Some(Err(fault)), _) => PairedRun::Fault(0, fault),
        (_, Some(Err(fault))) => PairedRun::Fault(1, fault),
        _ => PairedRun::Interrupted,
    }
}

#[inline]
fn merged(mut first: Rounds, mut second: Rounds, plans: &[Plan; 2]) -> PairedRun {
    let common = first.round.len().min(second.round.len());
    if first.round[..common] != second.round[..common]
        || first.arm[..common] != second.arm[..common]
    {
        let what = "the two workers did not keep to one order";
        return PairedRun::Fault(1, fault(&plans[1], FaultKind::Protocol, what));
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
    first.visit_ticks = first.visit_ticks.max(second.visit_ticks);
    PairedRun::Rounds(Box::new(first))
}
