use std::fmt;

use tourbillon_os::Ending;
use tourbillon_record::{Frame, Plan};

use crate::Error;

/// Somebody who finds workers.
pub trait SpawnWorker {
    /// Finds a worker for a plan. It may start up, but waits for [`Worker::begin`]: the visit
    /// before may still be ending, and no two of them measure at the same time.
    ///
    /// # Errors
    /// When there is no worker to be had; the visit is lost.
    fn spawn(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error>;

    /// Whether workers make memory visits.
    fn counts(&self) -> bool {
        false
    }

    /// Whether the run was told to stop.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Somebody who makes one visit.
pub trait Worker: fmt::Debug {
    /// Gives the worker its plan. Called once, before anything is heard.
    ///
    /// # Errors
    /// When it cannot be given; the visit is lost.
    fn begin(&mut self) -> Result<(), Error>;

    /// What happens next, waiting at most so long for it, or for the rest of a frame. What was said before
    /// the call is heard even without waiting.
    fn next(&mut self, timeout_ns: u64) -> Event;

    /// Sends the worker away, together with everything that it started.
    fn dismiss(self: Box<Self>) -> Dismissal;
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The worker said something.
    Frame(Frame),
    /// The worker said something that is no frame: what is wrong with it.
    Garbled(String),
    /// No frame, and no part of one, within the timeout.
    Silent,
    /// The worker has ended, and everything that it said has been heard.
    Ended(Ending),
    /// The run was told to stop.
    Interrupted,
}

/// What a worker left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dismissal {
    /// The last lines that it wrote to stderr.
    pub stderr: String,
    /// How it ended.
    pub ending: Ending,
    /// Whether processes that it had started had to be ended one by one.
    pub left_processes: bool,
}

/// What is redrawn for each visit outside of the worker. What is redrawn inside it (stack, heap)
/// comes from [`Plan::seed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draw {
    /// Bytes added to the environment, which moves the stack.
    pub environment_bytes: u32,
}
