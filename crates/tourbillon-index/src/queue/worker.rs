//! A worker: claims jobs, has them measured, and stores their results.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::job::Job;
use super::patience::Patience;
use super::store::Queue;
use crate::Error;
use crate::postgres::ServerAddress;

/// What measures the jobs of a worker.
pub trait Measure: Sync {
    /// Measures a job.
    fn measure(&self, job: &Job) -> Outcome;

    /// Ends the measurement, whose result is no longer wanted. Another thread calls it, perhaps before the measurement
    /// begins or after it ended.
    fn cancel(&self, job: &Job);

    /// Waits, not longer than `time`. Whether the user has interrupted the worker is returned.
    fn wait(&self, time: Duration) -> bool;
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its result.
    Record {
        /// Exit code of the comparison.
        exit_code: u8,
        /// The record.
        bytes: Vec<u8>,
    },
    /// There is none, for this reason.
    Failed(String),
    /// The user ends the worker: another one measures the job.
    Interrupted,
}

/// What happens to a worker.
#[derive(Debug)]
pub enum Event<'e> {
    /// A job is measured.
    Claimed(&'e Job),
    /// Its result is stored.
    Stored(&'e Job),
    /// It has no result, for this reason.
    Failed(&'e Job, &'e str),
    /// It was cancelled, or another worker has it: this one was silent for too long.
    Lost(&'e Job),
    /// The server cannot be reached; the worker tries again.
    Disconnected(&'e Error),
}

/// Works as `machine` until the user interrupts a measurement, or with `until_drained` until no job is waiting or running.
/// Whether it was interrupted is returned.
///
/// The worker outlives connections: it connects again, as often as it takes.
///
/// # Errors
///
/// When the server cannot be reached at first, or refuses.
pub fn work(
    address: &ServerAddress,
    machine: &str,
    patience: Patience,
    until_drained: bool,
    measure: &dyn Measure,
    note: &mut dyn FnMut(Event<'_>),
) -> Result<bool, Error> {
    let mut queue = Queue::open(address, patience)?;
    while !measure.wait(Duration::ZERO) {
        let mut outlive = Outlive {
            queue: &mut queue,
            measure,
            note,
        };
        let Some(claimed) = outlive.call(|queue| queue.claim(machine))? else {
            break;
        };
        let Some(job) = claimed else {
            if until_drained && outlive.call(Queue::is_drained)? == Some(true) {
                return Ok(false);
            }
            measure.wait(patience.poll);
            continue;
        };
        (outlive.note)(Event::Claimed(&job));
        let outcome = measured(address, patience, &job, measure);
        let is_own = outlive.call(|queue| match &outcome {
            Outcome::Record { exit_code, bytes } => queue.finish(&job, *exit_code, bytes),
            Outcome::Failed(reason) => queue.fail(&job, reason),
            Outcome::Interrupted => queue.give_back(&job),
        })?;
        match (is_own, &outcome) {
            (None, _) | (_, Outcome::Interrupted) => break,
            (Some(false), _) => note(Event::Lost(&job)),
            (Some(true), Outcome::Record { .. }) => note(Event::Stored(&job)),
            (Some(true), Outcome::Failed(reason)) => note(Event::Failed(&job, reason)),
        }
    }
    Ok(true)
}

/// Measures a job while a thread gives signs of life.
fn measured(
    address: &ServerAddress,
    patience: Patience,
    job: &Job,
    measure: &dyn Measure,
) -> Outcome {
    let (ended, end) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || beat(address, patience, job, measure, &end));
        let outcome = measure.measure(job);
        drop(ended);
        outcome
    })
}

/// Gives signs of life until the measurement ends, and cancels it if the job is lost.
fn beat(
    address: &ServerAddress,
    patience: Patience,
    job: &Job,
    measure: &dyn Measure,
    end: &Receiver<()>,
) {
    let mut queue = None;
    while end.recv_timeout(patience.heartbeat) == Err(RecvTimeoutError::Timeout) {
        let connected = match queue.take() {
            Some(queue) => Ok(queue),
            None => Queue::open(address, patience),
        };
        // A server that cannot be reached may be there for the next one.
        let Ok(mut connected) = connected else {
            continue;
        };
        match connected.beat(job) {
            Ok(true) => queue = Some(connected),
            Ok(false) => return measure.cancel(job),
            Err(_) => {}
        }
    }
}

/// A queue whose connection may be lost.
struct Outlive<'w> {
    queue: &'w mut Queue,
    measure: &'w dyn Measure,
    note: &'w mut dyn FnMut(Event<'_>),
}

impl Outlive<'_> {
    /// Calls a function of the queue, again with a new connection each time that it is lost; `None` if the user
    /// interrupts that.
    fn call<T>(
        &mut self,
        mut call: impl FnMut(&mut Queue) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let mut has_noted = false;
        loop {
            let error = match call(self.queue) {
                Err(error) if error.is_lost() => error,
                result => return result.map(Some),
            };
            if !has_noted {
                (self.note)(Event::Disconnected(&error));
                has_noted = true;
            }
            if self.measure.wait(self.queue.patience.poll) {
                return Ok(None);
            }
            match Queue::open(&self.queue.address, self.queue.patience) {
                Ok(connected) => *self.queue = connected,
                Err(error) if error.is_lost() => {}
                Err(error) => return Err(error),
            }
        }
    }
}
