//! One launch in which events are counted.

use std::io;
use std::ops::ControlFlow;

use tourbillon_coordinator::runner::{Draw, RunClock, SpawnWorker};
use tourbillon_os::Mark;
use tourbillon_record::Plan;

use super::failure::Failure;
use super::stepper::Stepper;
use super::{start, time_left, why_ended};
use crate::events::{CountedBatch, Events, OpenEvents, ReadEvents};
use crate::launch::Limits;

/// Counts a group of events in the batches of a worker, which run by themselves, and gives the ops of an iteration if it
/// could; breaks when interrupted. What is not counted has its reason in the events.
pub(crate) fn count(
    plan: &Plan,
    number: usize,
    limits: Limits,
    events: &mut Events,
    provider: &mut dyn OpenEvents,
    spawner: &mut dyn SpawnWorker,
    run_clock: &dyn RunClock,
) -> ControlFlow<(), Option<u64>> {
    let began_ns = run_clock.now_ns();
    let (mut worker, pid, tracee) = match start(plan, &Draw::of(plan), spawner) {
        Ok(started) => started,
        Err(why) => {
            events.exclude_uncounted(&why);
            return ControlFlow::Continue(None);
        }
    };
    let Some((group, mut readings)) = events.open(pid, number, provider) else {
        worker.dismiss();
        return ControlFlow::Continue(None);
    };
    let spawner: &dyn SpawnWorker = spawner;
    let time_left = time_left(began_ns, limits, spawner, run_clock);
    let mut stepper = Stepper::new(tracee, pid, 0, 0, &time_left);
    let batches = match worker.begin() {
        Ok(()) => stepper.count(&mut *readings, u64::from(plan.launch)),
        Err(error) => Err(Failure::Absent(error.to_string())),
    };
    let why = match batches {
        Ok(batches) => {
            for batch in &batches {
                events.add(&group, batch);
            }
            worker.dismiss();
            return ControlFlow::Continue(Some(stepper.ops_per_iteration));
        }
        Err(Failure::Absent(why)) => why,
        Err(Failure::Late) => "its batches take too long; have an op do less".to_owned(),
        Err(Failure::Ended) => why_ended(&mut *worker),
        Err(Failure::Interrupted) => {
            worker.dismiss();
            return ControlFlow::Break(());
        }
    };
    worker.dismiss();
    events.exclude_uncounted(&why);
    ControlFlow::Continue(None)
}

impl Stepper<'_> {
    /// Lets batches run by themselves, and reads events where their timed parts begin and end.
    fn count(
        &mut self,
        events: &mut dyn ReadEvents,
        launch: u64,
    ) -> Result<Vec<CountedBatch>, Failure> {
        let read = |events: &mut dyn ReadEvents| {
            let error = |error: io::Error| Failure::absent(&format!("it cannot be read: {error}"));
            events.read().map_err(error)
        };
        let mut batches: Vec<CountedBatch> = Vec::new();
        let mut before = Vec::new();
        self.run(0)?;
        loop {
            let marked = self.trapped()?.marked();
            (self.time_left)(!batches.is_empty())?;
            match (marked, batches.last_mut()) {
                (None, _) => return Err(Failure::breakpoints()),
                (Some((Mark::Begin, _)), _) => before = read(events)?,
                (Some((Mark::End, _)), Some(batch)) => batch.add(&before, &read(events)?),
                (Some((Mark::End | Mark::Empty, _)), _) => {}
                (Some((Mark::OpsPerIteration, ops)), _) => {
                    self.ops_per_iteration = ops;
                    self.check()?;
                }
                (Some((Mark::Ops, iterations)), _) => {
                    batches.push(CountedBatch::new(launch, iterations));
                }
                (Some((Mark::Over, _)), _) => break,
            }
            self.run(0)?;
        }
        if batches.iter().any(CountedBatch::is_empty) {
            return Err(Failure::absent(
                "it times itself, so where an op begins is not known",
            ));
        }
        Ok(batches)
    }
}
