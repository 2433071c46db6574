//! Schedule, worker processes, protocol, deadlines, faults.
//!
//! The coordinator measures nothing. [`run`] makes about twenty launches of every case, each
//! in a fresh worker, all launches in one random order; it collects the samples and has
//! `tourbillon_analysis` make the results.
//!
//! * A [`SpawnWorker`] starts workers: [`Processes`] starts the own executable again, `InMemory` (with the feature
//!   `scripted`) plays scripts. A process whose first argument is
//!   [`WORKER_ARGUMENT`](tourbillon_record::WORKER_ARGUMENT) ([`WorkerArgs`]) is a worker: it reads its plan with
//!   [`read_plan`] and answers with a [`FrameWriter`].
//! * The caller brings the [`RunClock`].

mod budget;
mod case_progress;
mod comparison;
mod first_launches;
mod follow;
mod frames;
#[cfg(feature = "scripted")]
mod in_memory;
pub mod launch_fault;
mod machine_lock;
mod memory;
mod observer;
mod outcome;
mod process;
mod processes;
mod run;
mod run_worker;
mod schedule;
mod settings;
pub mod silence;
mod worker;

pub(crate) use budget::pilot_plan;
pub use comparison::Comparison;
pub(crate) use first_launches::MadeByCase;
pub use follow::{NOT_HERE, STEPPING_NS, count_plan, step_plan};
pub use frames::{FrameReader, FrameWriter, PROTOCOL, read_plan};
#[cfg(feature = "scripted")]
pub use in_memory::{Act, InMemory, ScriptedRunClock};
pub use machine_lock::{LOCK_VARIABLE, LockChoice, MachineLock, NO_LOCK};
pub use memory::{memory_plan, not_counted};
pub use observer::{Observer, Progress, RunClock};
pub use outcome::{EXIT_FAILED, EXIT_INTERRUPTED, Outcome, why_no_number};
pub use processes::{Processes, SharedPosition, WorkerArgs};
pub use run::run;
pub use run_worker::{WorkerOutcome, run_worker};
pub use settings::{CaseSettings, Settings};
pub use worker::{Dismissal, Draw, Error, Event, PEER_GONE, SentLaunch, SpawnWorker, Worker};

pub use tourbillon_os::Ending;
