//! Data model of a run, its codec, and the store of runs.
//!
//! A run is a sequence of lines, each an [`Entry`]: one [`Header`], a [`Case`] for each case, then
//! [`LaunchSamples`]s and [`Fault`]s as they happen, [`Memory`] and [`Stepped`] launches, the [`CaseResult`]s, for each
//! comparison its [`Rounds`] and [`Verdict`]s, and an [`End`]. Raw samples are kept; every number that
//! is shown is computed from them by a versioned method.
//!
//! Coordinator and worker exchange the same types as [`Frame`]s.

#![forbid(unsafe_code)]

mod by_case;
mod calls;
mod case;
pub mod codec;
mod comparison;
mod compilation;
mod end;
mod error;
mod fault;
mod frame;
mod header;
pub mod json;
mod launch;
mod line;
mod members;
mod memory;
mod metric;
mod note;
mod plan;
mod ranges;
mod result;
mod run;
mod run_reader;
mod samples;
mod scale;
mod shard;
mod steps;
pub mod store;
mod throughput;
mod total;

pub use by_case::ByCase;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub use by_case::looked_at;
pub use calls::Calls;
pub use case::{Argument, Case, CommandLine};
pub use comparison::{
    ComparedNumber, Control, Finding, Interference, Probes, ProcessCounter, Processes, Reach,
    Rounds, Undecided, Verdict,
};
pub use compilation::{Compilation, CompiledOtherwise};
pub use end::{ClockCheck, End, MachineEvents};
pub use error::Error;
pub use fault::{Fault, FaultKind, SourceLocation};
pub use frame::{Frame, Hello, STEP_ARGUMENT, WORKER_ARGUMENT};
pub use header::{ClockFacts, Fact, FactValue, Header, RunSettings};
pub use launch::{LaunchSamples, SystemCounts};
pub use line::{Entry, Line, SCHEMA};
pub use memory::{Counted, Memory, Resident};
pub use metric::Metric;
pub use note::Note;
pub use plan::{BatchShape, CaseOptions, Plan, Turns};
pub use result::{Absence, CaseResult, OwnMetric, Rough, Scope};
pub use run::{LONGEST_LINE, Results, Run};
pub use run_reader::RunReader;
pub use samples::{
    Additions, Batches, Chain, Empty, Fenced, FixedItem, Measured, Pauses, Pilot, Team, Warmup,
};
pub use scale::{Scale, ScaleUnit};
pub use shard::Shard;
pub use steps::{EventCounts, Followed, Stepped, Steps};
pub use throughput::{Throughput, ThroughputUnit};
pub use total::total;
