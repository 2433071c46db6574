//! The unsafe part of the operating system that coordinator and workers need.
//!
//! * Coordinator: [`Launcher`] and [`Child`] (a worker in a process group of its own, its pipes, its
//!   end), [`Signals`] (SIGINT and SIGTERM as a descriptor to poll), [`terminal_width`], [`InheritedFd`]
//!   (pipes between two workers), [`machine_counts`].
//! * Worker: [`take_protocol`] (the pipes out of the benchmark's reach), [`tie_to_coordinator`]
//!   (no orphan survives), [`threads`], [`debugger_attached`], [`page_faults`], [`written_bytes`],
//!   [`waited_ns`].
//! * Both: [`at_exit`], [`write_line`], [`read_line`], [`is_closed`], [`affinity`], [`set_affinity`],
//!   [`set_random_addresses`].
//!
//! Nothing here reads time: every wait is bounded by a duration that the caller passes.
//! Where the platform lacks something, the result is an error of kind `Unsupported` or `None`.

mod affinity;
#[cfg(unix)]
mod child;
#[cfg(feature = "commands")]
pub mod command;
mod counters;
#[cfg(not(unix))]
mod elsewhere;
mod hypervisor;
mod launch;
#[cfg(unix)]
mod launcher;
mod pipe;
mod process;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod stderr_file;
#[cfg(unix)]
mod strays;
#[cfg(unix)]
mod sys;
#[cfg(unix)]
mod worker;

pub use affinity::{affinity, set_affinity, set_random_addresses};
pub use counters::{MachineCounts, machine_counts, page_faults, waited_ns, written_bytes};
pub use hypervisor::{HYPERVISOR_FILES, hypervisor_in};
pub use launch::{Ending, ErrorOutput, Executable, Protocol, Ready};
pub use pipe::{is_closed, read_line, write_line};
pub use process::{debugger_attached, forget_touched, threads, touched_bytes};

#[cfg(not(unix))]
pub use elsewhere::{
    Child, InheritedFd, Launcher, Signals, at_exit, coordinator_gone, take_protocol,
    terminal_width, tie_to_coordinator,
};
#[cfg(unix)]
pub use {
    child::Child,
    launcher::Launcher,
    pipe::InheritedFd,
    signals::Signals,
    worker::{at_exit, coordinator_gone, take_protocol, terminal_width, tie_to_coordinator},
};
