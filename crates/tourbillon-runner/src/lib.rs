//! Schedule, worker processes, protocol, deadlines, faults.
//!
//! The coordinator measures nothing. [`run`] visits every case in about twenty launches, each
//! in a fresh worker, all visits in one random order; it collects the samples and makes the
//! results.
//!
//! * Workers come from a [`SpawnWorker`]: [`Processes`] starts the own executable again, `InMemory` (with
//!   the feature `scripted`) plays scripts. A process whose first argument is [`WORKER_ARGUMENT`](tourbillon_record::WORKER_ARGUMENT) ([`WorkerArgs`]) is a
//!   worker: it hears its plan with [`read_plan`] and speaks with a [`FrameWriter`].
//! * Time comes from a [`RunClock`] that the caller brings.
//! * Results are made by `tourbillon_analysis`.

#![forbid(unsafe_code)]

mod attempt;
mod comparison;
mod error;
mod frame_reader;
mod frame_writer;
#[cfg(feature = "scripted")]
mod in_memory;
mod launch_count;
mod memory;
mod observer;
mod paired_run;
mod plan;
mod post_run;
mod processes;
mod reached;
mod run;
mod run_clock;
mod run_worker;
mod schedule;
#[cfg(feature = "scripted")]
mod scripted_run_clock;
mod settings;
mod stored_launch;
mod visit_time;
mod worker;
mod worker_args;

pub use comparison::{Comparison, run_comparison};
pub use error::Error;
pub use frame_writer::{FrameWriter, PROTOCOL, read_plan};
#[cfg(feature = "scripted")]
pub use in_memory::{Act, InMemory};
pub use launch_count::launch_count;
pub use memory::{Count, count, memory_plan};
pub use observer::{Observer, Progress};
pub use paired_run::{PEER_GONE, PairedRun, Silence, paired_run};
pub use post_run::PostRun;
pub use processes::Processes;
pub use run::{EXIT_FAILED, EXIT_INTERRUPTED, Outcome, run, run_and};
pub use run_clock::RunClock;
pub use run_worker::{WorkerOutcome, run_worker, visit_plan};
#[cfg(feature = "scripted")]
pub use scripted_run_clock::ScriptedRunClock;
pub use settings::{CaseSettings, Settings};
pub use stored_launch::ByteRange;
pub use worker::{Dismissal, Draw, Event, SpawnWorker, Worker};
pub use worker_args::WorkerArgs;

pub use tourbillon_os::Ending;
