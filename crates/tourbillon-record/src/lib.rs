//! Data model of a run, its codec, and the store of runs.
//!
//! A run is a sequence of lines, each an [`Entry`]: one [`Header`], a [`Case`] for each case, then [`Visit`]s and
//! [`Fault`]s as they happen, `Memory` visits, the [`CaseResult`]s, for each comparison its
//! [`Rounds`] and [`Verdict`]s, and an [`End`]. Raw samples are kept; every
//! number that is shown is recomputed from them by a versioned method.
//!
//! The same types travel between coordinator and worker as [`Frame`]s.

#![forbid(unsafe_code)]

mod case;
mod codec;
mod end;
mod entry;
mod error;
mod fault;
mod file;
mod frame;
mod header;
mod json;
mod line;
mod memory;
mod plan;
mod result;
mod results;
mod rounds;
mod run;
pub mod store;
mod verdict;
mod visit;

pub use case::{Argument, Case};
pub use end::{ClockCheck, End, Meanwhile};
pub use entry::{Entry, SCHEMA};
pub use error::Error;
pub use fault::{Fault, FaultKind, Place};
pub use frame::{Frame, Hello, WORKER_ARGUMENT};
pub use header::{ClockFacts, Fact, FactValue, Header, RunSettings};
pub use line::Line;
pub use memory::{Counted, Memory, Resident};
pub use plan::{BatchShape, Plan};
pub use result::OwnMetric;
pub use result::{Absence, CaseResult, Metric, Note, Scope};
pub use results::{LONGEST_LINE, Results};
pub use rounds::{Against, Rounds, Turns};
pub use run::Run;
pub use verdict::{Control, Finding, Interference, Reach, Undecided, Verdict};
pub use visit::Measured;
pub use visit::{
    Additions, Apart, Batches, Chain, Empty, FixedItem, Pauses, Pilot, SystemCounts, Team,
    Throughput, ThroughputUnit, Visit, Warmup,
};
