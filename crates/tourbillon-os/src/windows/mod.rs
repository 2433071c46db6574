//! Windows: processes in jobs, pipes, events of the console, counters.

pub(crate) mod affinity;
mod call;
mod child;
#[cfg(feature = "commands")]
pub(crate) mod command;
mod console;
pub(crate) mod counters;
mod job;
mod launcher;
mod machine;
mod output;
mod pipe;
mod processors;
mod signals;
pub(crate) mod threads;
mod worker;

pub use child::Child;
pub(crate) use console::stdout_to_stderr;
pub use console::{follow_escapes, terminal_height, terminal_width};
pub use launcher::Launcher;
pub use machine::{
    WindowsVersion, is_translated, memory_bytes, on_battery, power_plan, priority,
    random_addresses, windows_version,
};
pub use pipe::{InheritedPipe, open_inherited};
pub use processors::{Cache, CacheContents, Core, Processors, processors};
pub use signals::{Signals, Waiting, refuse_large_files};
pub use worker::{at_exit, coordinator_gone, take_protocol, tie_to_coordinator};
