//! Workers, and what a run needs of those that start them.

use std::num::NonZeroU64;
use std::{fmt, io};

use tourbillon_os::{Ending, is_closed};
use tourbillon_record::{Frame, LaunchSamples, Metric, Plan};
use tourbillon_stats::Rng;

/// Bytes that the environment of a worker may be padded with: a page of the stack.
const PADDING: NonZeroU64 = NonZeroU64::new(4096).expect("not zero");
/// Label of the random sequence of the padding, derived from the seed of a launch.
const ENVIRONMENT: u64 = 2;

/// The error of a worker whose peer is gone: not what went wrong, but its consequence.
pub const PEER_GONE: &str = "the worker of the other build is gone";

/// Starts workers.
pub trait SpawnWorker {
    /// Starts a worker for a plan. It waits for [`Worker::begin`]: the launch before may still be ending, and no
    /// two of them measure at the same time.
    ///
    /// # Errors
    /// When no worker can be started; the launch is lost.
    fn spawn(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error>;

    /// Whether workers make memory launches.
    fn counts(&self) -> bool {
        false
    }

    /// What is counted by another program, too.
    fn counters(&self) -> &[Metric] {
        &[]
    }

    /// Whether a signal stops the run.
    fn interrupted(&self) -> bool {
        false
    }
}

/// A worker, which makes one launch.
pub trait Worker {
    /// Sends the plan. Called once, before [`Worker::next`].
    ///
    /// # Errors
    /// When the plan cannot be sent; the launch is lost.
    fn begin(&mut self) -> Result<(), Error>;

    /// What happens next. Waits at most so long for it, or for the rest of a frame. A frame that has already
    /// arrived is read without waiting.
    fn next(&mut self, timeout_ns: u64) -> Event;

    /// The id of its process; `None` where it is none.
    fn process(&self) -> Option<u32> {
        None
    }

    /// Ends the worker and everything that it started.
    fn dismiss(self: Box<Self>) -> Dismissal;
}

/// What happened to a worker.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The worker sent a frame other than that of a launch.
    Frame(Frame),
    /// The worker sent the samples of its launch.
    Launch(SentLaunch),
    /// The worker sent something that is not a frame, and why it is not.
    Garbled(String),
    /// No frame, and no part of one, within the timeout.
    Silent,
    /// The worker has ended, and all its frames have been read.
    Ended(Ending),
    /// A signal stops the run.
    Interrupted,
}

/// The samples of a launch, as a worker sent them.
#[derive(Clone, Debug, PartialEq)]
pub struct SentLaunch {
    /// What was read.
    pub samples: Box<LaunchSamples>,
    /// The line, with its end: that of a record.
    pub line: Vec<u8>,
}

/// What a worker left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dismissal {
    /// The last lines that it wrote to stderr.
    pub stderr: String,
    /// How it ended.
    pub ending: Ending,
    /// Whether processes that it had started had to be ended one by one.
    pub left_processes: bool,
}

/// What chance decides for a launch outside of the worker. What it decides inside (stack, heap) comes from
/// [`Plan::seed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draw {
    /// Bytes added to the environment, which moves the stack.
    pub environment_bytes: u32,
}

impl Draw {
    /// That of a plan.
    pub fn of(plan: &Plan) -> Draw {
        let mut environment = Rng::new(Rng::new(plan.seed).derive(ENVIRONMENT));
        Draw {
            environment_bytes: environment.below(PADDING) as u32,
        }
    }
}

/// Why a worker could not be started, or not be reached.
#[derive(Debug)]
pub struct Error {
    what: String,
    closed: bool,
}

impl Error {
    /// An error with a message.
    pub fn new(what: impl Into<String>) -> Error {
        Error {
            what: what.into(),
            closed: false,
        }
    }

    /// What failed, and the error of the system.
    pub(crate) fn io(what: &str, cause: &io::Error) -> Error {
        Error {
            what: format!("{what}: {cause}"),
            closed: is_closed(cause),
        }
    }

    /// Whether the other side has closed its end, as it does when it is gone.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Error {}
