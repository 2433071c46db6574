//! Runs commands as processes, and reports what the system counted for them.
//!
//! The peak memory that the system reports for a process is at least that of the process which started it.
//! [`CommandSpawner`] is therefore meant for a small process: see `docs/decisions/0025-commands.md`.

#[cfg(target_os = "linux")]
mod counters;
mod exchange;
mod guardian;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod memory_file;
#[cfg(all(unix, not(target_os = "linux")))]
mod own;
#[cfg(target_os = "linux")]
mod stream;

#[cfg(not(target_os = "linux"))]
use std::ffi::{OsStr, OsString};
#[cfg(target_os = "linux")]
use std::{io, os::fd::AsFd, time::Duration};

#[cfg(not(target_os = "linux"))]
pub use crate::stderr_file::StderrFile;
#[cfg(windows)]
pub use crate::windows::command::OwnCommand;
#[cfg(target_os = "linux")]
pub use counters::CommandCounters;
pub use exchange::exchange;
pub use guardian::Guarded;
#[cfg(target_os = "linux")]
pub use linux::{CommandSpawner, PreparedCommand, RunningCommand, end_group_of, in_small_copy};
#[cfg(target_os = "linux")]
pub use memory_file::{keep_length, memory_file};
#[cfg(all(unix, not(target_os = "linux")))]
pub use own::OwnCommand;
#[cfg(target_os = "linux")]
pub use stream::{open_input, open_output};

/// Waits at most for the time until one of two descriptors can be read or was closed; gives which. A signal ends the
/// wait early.
///
/// # Errors
/// If the system cannot poll the descriptors.
#[cfg(target_os = "linux")]
pub fn readable_of(one: &impl AsFd, other: &impl AsFd, timeout: Duration) -> io::Result<[bool; 2]> {
    let watched = [Some(one.as_fd()), Some(other.as_fd()), None];
    let [one, other, _] = crate::pipe::readable(watched, timeout)?;
    Ok([one, other])
}

/// What a command is started from, where this process starts it itself.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy, Debug)]
pub struct CommandStart<'c> {
    /// Path of the executable.
    pub program: &'c OsStr,
    /// All arguments, the name of the program first.
    pub arguments: &'c [OsString],
    /// All variables, as `NAME=VALUE`.
    pub environment: &'c [OsString],
    /// Working folder; `None` for that of this process.
    pub folder: Option<&'c OsStr>,
}

/// What ended a wait for a command.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandEvent {
    /// It has ended.
    Ended,
    /// The other descriptor can be read, or was closed.
    Other,
    /// Neither within the time.
    TimedOut,
}

/// What the system counted for a process and for the children that it waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommandUsage {
    /// Microseconds of processor time in programs' own code.
    pub user_us: u64,
    /// Microseconds of processor time in the kernel.
    pub kernel_us: u64,
    /// The most memory that one of these processes had resident at once, in bytes.
    pub peak_bytes: u64,
    /// Page faults without input or output.
    pub minor_faults: u64,
    /// Page faults that read from a file or from the swap space.
    pub major_faults: u64,
    /// How often a process gave its processor up to wait.
    pub voluntary_switches: u64,
    /// How often a process lost its processor to another one.
    pub involuntary_switches: u64,
    /// Whether processes of its group still run.
    pub left_processes: bool,
}
