//! The unsafe part of the operating system that coordinator and workers need.
//!
//! * Coordinator: [`Launcher`] and [`Child`] (a worker in a process group of its own, its pipes, its
//!   end), [`Signals`] (SIGINT and SIGTERM as something to poll), [`terminal_width`], [`Handed`] (pipes
//!   between two workers), [`machine_counts`].
//! * Worker: [`take_protocol`] (the pipes out of the benchmark's reach), [`tie_to_coordinator`]
//!   (no orphan survives), [`threads`], [`debugger_attached`], [`page_faults`], [`written_bytes`],
//!   [`waited_ns`].
//! * Both: [`at_exit`], [`write_line`], [`read_line`], [`is_closed`], [`is_missing`], [`told`], [`affinity`],
//!   [`set_affinity`], [`set_random_addresses`].
//!
//! Nothing here reads time: every wait is bounded by the duration that it is given.
//! Where the platform has no such thing, the answer is an error of kind `Unsupported` or `None`.

mod addresses;
mod affinity;
#[cfg(unix)]
mod child;
mod counters;
#[cfg(not(unix))]
mod elsewhere;
mod ending;
mod executable;
#[cfg(unix)]
mod exit;
#[cfg(unix)]
mod handed;
mod launch;
#[cfg(unix)]
mod launcher;
mod machine;
mod missing;
#[cfg(unix)]
mod parent;
mod pipe;
#[cfg(unix)]
mod poll;
mod process;
#[cfg(unix)]
mod protocol;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod stderr_file;
#[cfg(unix)]
mod strays;
#[cfg(unix)]
mod sys;
#[cfg(unix)]
mod terminal;
mod touched;

pub use addresses::set_random_addresses;
pub use affinity::{affinity, set_affinity};
#[cfg(unix)]
pub use child::Child;
pub use counters::{page_faults, waited_ns, written_bytes};
#[cfg(not(unix))]
pub use elsewhere::{
    Child, Handed, Launcher, Signals, at_exit, coordinator_gone, take_protocol, terminal_width,
    tie_to_coordinator,
};
pub use ending::Ending;
pub use executable::Executable;
#[cfg(unix)]
pub use exit::at_exit;
#[cfg(unix)]
pub use handed::Handed;
pub use launch::{ErrorOutput, Launch, Protocol, Ready};
#[cfg(unix)]
pub use launcher::Launcher;
pub use machine::{MachineCounts, machine_counts};
pub use missing::is_missing;
#[cfg(unix)]
pub use parent::{coordinator_gone, tie_to_coordinator};
pub use pipe::{is_closed, read_line, told, write_line};
pub use process::{debugger_attached, threads};
#[cfg(unix)]
pub use protocol::take_protocol;
#[cfg(unix)]
pub use signals::Signals;
#[cfg(unix)]
pub use terminal::terminal_width;
pub use touched::{forget_touched, touched_bytes};
