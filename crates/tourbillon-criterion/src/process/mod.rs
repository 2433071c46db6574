//! What a process of a suite does: it coordinates, finds out which benchmarks there are, measures one of them, or
//! runs all of them without processes.

mod benchmarks;
mod coordinator;
mod discoverer;
mod discovery;
mod first_launches;
mod in_process;
mod inventory;
mod listing;
mod load_baseline;
mod modes;
mod registration;
mod role;
mod session;
mod shared_worker;
mod worker;

pub use discovery::line_read;
pub(crate) use registration::Registration;
pub use role::role_read;
pub use session::main;
pub(crate) use session::{begin, finish, register, target};
pub(crate) use tourbillon_criterion_files::BenchmarkName;

/// Silence in nanoseconds that counts as a hang unless another was requested. criterion waits for ever, and suites have
/// single calls of a minute.
const SILENCE_NS: u64 = 300_000_000_000;
