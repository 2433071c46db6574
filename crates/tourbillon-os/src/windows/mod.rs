//! Windows: processes in jobs, pipes, events of the console, counters.

pub(crate) mod affinity;
mod call;
mod child;
mod console;
pub(crate) mod counters;
mod job;
mod launcher;
mod output;
mod pipe;
mod signals;
pub(crate) mod threads;
mod worker;

pub use child::Child;
pub use console::{follow_escapes, terminal_width};
pub use launcher::Launcher;
pub use pipe::{InheritedPipe, open_inherited};
pub use signals::Signals;
pub use worker::{at_exit, coordinator_gone, take_protocol, tie_to_coordinator};
