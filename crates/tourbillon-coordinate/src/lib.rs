//! Schedule, worker transports, deadlines, faults, estimates.
//!
//! The coordinator measures nothing. [`conduct`] visits every case in about twenty launches, each
//! in a fresh worker, all visits in one random order; it collects the samples and makes the
//! results.
//!
//! * Workers come from a [`Hire`]: [`Processes`] starts the own executable again, `InMemory` (with
//!   the feature `scripted`) plays scripts. A process whose first argument is [`WORKER_ARGUMENT`] ([`Summons`]) is a
//!   worker: it hears its plan with [`hear_plan`] and speaks with a [`Voice`].
//! * Time comes from a [`Watch`] that the caller brings.
//! * [`judge`] and [`judge_builds`] make verdicts from rounds, [`evidence`] and [`evidence_builds`]
//!   p-values for gates.
//! * [`estimate`] makes results from visits; whoever reads a stored run gets the same from it.

#![forbid(unsafe_code)]

mod affordable;
mod afterwards;
mod attempt;
mod conduct;
mod contest;
mod duel;
mod errand;
mod error;
mod estimate;
mod frequency;
#[cfg(feature = "scripted")]
mod in_memory;
mod kept;
mod launch_quota;
mod lines;
#[cfg(feature = "memory")]
mod memory;
mod observer;
mod plan;
mod processes;
mod reached;
mod schedule;
#[cfg(feature = "scripted")]
mod scripted_watch;
mod settings;
mod summons;
mod verdict;
mod visit_time;
mod voice;
mod void_times;
mod watch;
mod worker;

pub use affordable::affordable;
pub use afterwards::Afterwards;
pub use conduct::{EXIT_FAILED, EXIT_INTERRUPTED, Outcome, conduct, conduct_and};
pub use contest::{Contested, contest};
pub use duel::{Duel, PARTNER_GONE, Silence, duel};
pub use errand::{Errand, errand, visit_plan};
pub use error::Error;
pub use estimate::{
    BY_COUNTER, METHOD, Rules, Tally, contended, contended_share, estimate, went_backwards,
};
#[cfg(feature = "memory")]
pub use estimate::{COUNTED, counted, steady_rows};
pub use frequency::Frequency;
#[cfg(feature = "scripted")]
pub use in_memory::{Act, InMemory};
pub use kept::Stretch;
#[cfg(feature = "memory")]
pub use memory::{Count, count, memory_plan};
pub use observer::{Observer, Progress};
pub use processes::Processes;
#[cfg(feature = "scripted")]
pub use scripted_watch::ScriptedWatch;
pub use settings::{CaseSettings, Settings};
pub use summons::{Summons, WORKER_ARGUMENT};
pub use verdict::{
    BUILDS_METHOD, FUNCTIONS_METHOD, PROCESSES_METHOD, Terms, builds_settled, disturbed, evidence,
    evidence_builds, fastest_two, is_look, judge, judge_builds, judge_processes, settled,
};
pub use voice::{PROTOCOL, Voice, hear_plan};
pub use watch::Watch;
pub use worker::{Dismissal, Draw, Event, Hire, Worker};

pub use tourbillon_os::Ending;
