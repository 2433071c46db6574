//! How long workers wait.

use std::time::Duration;

/// How long workers wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Between two signs of life while a job is measured.
    pub heartbeat: Duration,
    /// Without a sign of life until the worker of a job counts as dead.
    pub lease: Duration,
    /// Without a sign of life until other machines may measure what is pinned to a machine.
    pub absence: Duration,
    /// Until the next look at an empty queue.
    pub poll: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            heartbeat: Duration::from_secs(15),
            lease: Duration::from_secs(90),
            absence: Duration::from_secs(600),
            poll: Duration::from_secs(5),
        }
    }
}
