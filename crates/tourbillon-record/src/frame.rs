use crate::Memory;
use crate::{Fault, Place, Plan, Rounds, Visit};

/// First argument of a worker process.
pub const WORKER_ARGUMENT: &str = "--tourbillon-worker";

/// What coordinator and worker say to each other, a line each.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// Worker: the first line.
    Hello(Hello),
    /// Coordinator: what to do.
    Plan(Plan),
    /// Worker: still alive, between two samples. The first one comes right after the first call
    /// of the body and says how long that took; where the case has a timeout, one before that says so.
    Progress {
        /// The first call in nanoseconds.
        first_call_ns: u64,
        /// Silence that counts as a hang, in nanoseconds, by what the case says of itself; only before
        /// its first call.
        timeout_ns: Option<u64>,
    },
    /// Worker: a panic started. It may yet be caught; when the worker dies, this is why.
    Panicking {
        /// The message.
        message: String,
        /// Where.
        place: Option<Place>,
    },
    /// Worker: the samples.
    Visit(Box<Visit>),
    /// Worker: the samples of arms that are compared.
    Rounds(Box<Rounds>),
    /// Worker: what was counted.
    Memory(Box<Memory>),
    /// Worker: no samples, and why.
    Fault(Fault),
    /// Worker: nothing more will come.
    Bye,
}

/// How a worker introduces itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Version of the protocol.
    pub protocol: u32,
    /// Identity of the measuring engine.
    pub engine: String,
}
