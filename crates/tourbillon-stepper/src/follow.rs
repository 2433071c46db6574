//! What is found out about a case by following its workers: its instructions, or events.

use std::ops::ControlFlow;

use tourbillon_coordinator::runner::{RunClock, SpawnWorker};
use tourbillon_record::{Followed, Note, Plan, Stepped, Steps};

use crate::event_results::event_results;
use crate::events::Events;
use crate::launch::{Limits, SteppedLaunch, not_stepped};
use crate::step_results::stepped;

/// Stepped launches of a case: the second shows what a process draws for itself, as the keys of hash maps.
const LAUNCHES: u32 = 2;
/// Rounds in which the events of one build are counted: the median lies between the least and the most of them, except by
/// a chance of 1 in 1024.
const ROUNDS: u32 = 11;
/// After this time there are no more than two rounds in which events are counted, in nanoseconds.
const ROUNDS_NS: u64 = 4_000_000_000;

/// Does what a plan asks for, and says what it comes to; breaks when interrupted.
pub fn follow(
    plan: &Plan,
    limits: Limits,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
) -> ControlFlow<(), Followed> {
    let launches = if plan.events.is_some() {
        let mut counting = EventRounds::new(plan, ROUNDS, run_clock);
        while counting.goes_on(run_clock) {
            counting.round(plan, limits, spawner, run_clock)?;
        }
        vec![counting.finish(plan, run_clock)]
    } else {
        step_case(plan, |plan| {
            crate::step(plan, limits, spawner, run_clock).map_continue(SteppedLaunch::counts)
        })?
    };
    let why = launches
        .first()
        .and_then(|launch| launch.counts.as_ref().err());
    let notes = why.cloned().map(|why| match plan.events {
        Some(_) => Note::EventsAbsent { why },
        None => Note::NotStepped { why },
    });
    let results = match (&plan.events, &launches[..]) {
        (Some(_), [counted]) => event_results(&plan.case, counted),
        _ => Vec::from_iter(stepped(&plan.case, &launches)),
    };
    ControlFlow::Continue(Followed {
        notes: Vec::from_iter(notes),
        launches,
        results,
    })
}

/// The stepped launches of a case, each made by `step`; breaks where that does.
pub fn step_case(
    plan: &Plan,
    mut step: impl FnMut(&Plan) -> ControlFlow<(), Stepped>,
) -> ControlFlow<(), Vec<Stepped>> {
    let mut launches = Vec::new();
    for launch in 0..LAUNCHES {
        let stepped = step(&Plan {
            launch,
            ..plan.clone()
        })?;
        let is_counted = stepped.counts.is_ok();
        // A later one that is not counted takes nothing from the first.
        if launch == 0 || is_counted {
            launches.push(stepped);
        }
        if !is_counted {
            break;
        }
    }
    ControlFlow::Continue(launches)
}

/// Events of a case, which are counted in rounds of launches.
pub struct EventRounds {
    events: Events,
    ops_per_iteration: u64,
    wanted: u32,
    rounds: u32,
    began_ns: u64,
}

impl std::fmt::Debug for EventRounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EventRounds")
            .field("rounds", &self.rounds)
            .finish_non_exhaustive()
    }
}

impl EventRounds {
    /// Those of a plan, counted so many times.
    pub fn new(plan: &Plan, wanted: u32, run_clock: &dyn RunClock) -> EventRounds {
        EventRounds {
            events: Events::new(plan.events.as_deref().unwrap_or_default()),
            ops_per_iteration: 1,
            wanted,
            rounds: 0,
            began_ns: run_clock.now_ns(),
        }
    }

    /// Whether there is another round.
    pub fn goes_on(&self, run_clock: &dyn RunClock) -> bool {
        let gone_ns = run_clock.now_ns().saturating_sub(self.began_ns);
        let is_late = self.rounds >= 2 && gone_ns > ROUNDS_NS;
        self.rounds < self.wanted && !is_late && (self.rounds == 0 || self.events.are_counted())
    }

    /// Counts all events once, in as many launches as there are groups of them; breaks when interrupted.
    pub fn round(
        &mut self,
        plan: &Plan,
        limits: Limits,
        spawner: &mut dyn SpawnWorker,
        run_clock: &dyn RunClock,
    ) -> ControlFlow<()> {
        let plan = Plan {
            launch: self.rounds,
            seed: u64::from(self.rounds),
            ..plan.clone()
        };
        let mut number = 0;
        while number == 0 || number < self.events.group_count() {
            let ops = count(&plan, number, limits, &mut self.events, spawner, run_clock)?;
            self.ops_per_iteration = ops.unwrap_or(self.ops_per_iteration);
            number += 1;
        }
        self.rounds += 1;
        ControlFlow::Continue(())
    }

    /// All of them as one launch, with the reason if some were not counted.
    pub fn finish(self, plan: &Plan, run_clock: &dyn RunClock) -> Stepped {
        let gap = self.events.gap();
        Stepped {
            ops_per_iteration: self.ops_per_iteration,
            counts: gap.map_or_else(|| Ok(Steps::default()), Err),
            events: Some(self.events.counts),
            launch_ns: run_clock.now_ns().saturating_sub(self.began_ns),
            ..not_stepped(plan, String::new())
        }
    }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn count(
    plan: &Plan,
    number: usize,
    limits: Limits,
    events: &mut Events,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
) -> ControlFlow<(), Option<u64>> {
    let provider = &mut crate::linux::PerfEvents;
    crate::linux::count(plan, number, limits, events, provider, spawner, run_clock)
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn count(
    _plan: &Plan,
    _number: usize,
    _limits: Limits,
    events: &mut Events,
    _spawner: &mut dyn SpawnWorker,
    _run_clock: &dyn RunClock,
) -> ControlFlow<(), Option<u64>> {
    events.exclude_uncounted("events are counted on Linux on x86-64 only");
    ControlFlow::Continue(None)
}
