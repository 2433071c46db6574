//! macOS: the end of the coordinator, what the kernel counts, and facts about the machine.

pub(crate) mod coordinator;
pub(crate) mod counters;
mod machine;
pub(crate) mod worker;

pub use machine::{load_average, power, system_number, system_text};
