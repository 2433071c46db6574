//! Launches whose ops another process followed: it executed them instruction by instruction, or had events counted.

use crate::codec::object;
use crate::members::Members;
use crate::{CaseResult, Error, Note, codec::same_length};

/// What the process that follows workers found out about a case; in a message alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Followed {
    /// The launches.
    pub launches: Vec<Stepped>,
    /// What they come to.
    pub results: Vec<CaseResult>,
    /// Findings about the case.
    pub notes: Vec<Note>,
}

object! {
    Followed { launches, results, notes }
}

/// The instructions of batches that were executed one by one (docs/how-to/instructions.md), of one
/// case in one process, not timed; or the events of batches (docs/how-to/counters.md) in several processes.
#[derive(Clone, Debug, PartialEq)]
pub struct Stepped {
    /// Identity of the case.
    pub case: String,
    /// Number of the stepped launch of this case, from 0.
    pub launch: u32,
    /// In a comparison of two builds, which of them was stepped: 0 the reference, 1 the other.
    pub arm: Option<u8>,
    /// Ops in one iteration.
    pub ops_per_iteration: u64,
    /// What was counted, or why nothing was.
    ///
    /// * `counts`, object?: what was counted between the two readings of the clock, the instructions of the loop
    ///   included.
    /// * `not_counted`, text?: why nothing was.
    pub counts: Result<Steps, String>,
    /// What the kernel counted while batches ran by themselves; then there are no instructions.
    pub events: Option<Vec<EventCounts>>,
    /// From the start of the worker to its end, in nanoseconds.
    pub launch_ns: u64,
    /// Unknown members of a newer version: members of a JSON object with commas between them.
    pub unknown: String,
}

object! {
    Stepped { case, launch, arm, ops_per_iteration, counts, events, launch_ns }
}

impl Default for Stepped {
    fn default() -> Stepped {
        Stepped {
            case: String::new(),
            launch: 0,
            arm: None,
            ops_per_iteration: 1,
            counts: Err(String::new()),
            events: None,
            launch_ns: 0,
            unknown: String::new(),
        }
    }
}

/// The instructions of batches, between the two readings of the clock, those of the loop included.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// Iterations of each batch, in the order in which they ran.
    pub iterations: Vec<u64>,
    /// Instructions of each batch.
    pub instructions: Vec<u64>,
    /// Instructions of one iteration, and of two, of a body without any, in the same kind of loop.
    pub empty: Vec<u64>,
    /// The names of the system calls of the first batch. `vdso` are calls of code of the system that is executed in the
    /// process, and not counted.
    pub system_calls: Vec<String>,
    /// How often each of them was called.
    pub system_call_counts: Vec<u64>,
}

object! {
    Steps { iterations, instructions, empty, system_calls, system_call_counts } check columns
}

impl Steps {
    fn columns(&mut self, from: &Members<'_>) -> Result<(), Error> {
        let batches = [
            ("iterations", self.iterations.len()),
            ("instructions", self.instructions.len()),
        ];
        let calls = [
            ("system_calls", self.system_calls.len()),
            ("system_call_counts", self.system_call_counts.len()),
        ];
        same_length(from, &batches)?;
        same_length(from, &calls)
    }
}

/// An event of the kernel in batches: how often it came between the two readings of the clock. The columns have an entry
/// for each batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventCounts {
    /// Its name, that of its metric.
    pub name: String,
    /// Number of the launch.
    pub launch: Vec<u64>,
    /// Iterations of the batch.
    pub iterations: Vec<u64>,
    /// How often it came.
    pub counts: Vec<u64>,
    /// Why it was not counted.
    pub absent: Option<String>,
}

object! {
    EventCounts { name, launch, iterations, counts, absent } columns [launch, iterations, counts]
}
