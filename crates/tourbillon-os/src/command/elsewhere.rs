//! Systems on which commands cannot be measured yet.

use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::{CommandEvent, CommandUsage};
use crate::affinity::unsupported;

/// What is missing.
const WHAT: &str = "measuring commands (a start that copies no memory of its parent, and wait4)";

/// A command that is ready to be started. Not available on this system.
#[derive(Debug)]
pub struct PreparedCommand(Infallible);

impl PreparedCommand {
    /// Prepares a command.
    ///
    /// # Errors
    /// Always.
    pub fn new(
        _program: &OsStr,
        _arguments: &[OsString],
        _environment: &[OsString],
        _folder: Option<&OsStr>,
    ) -> io::Result<PreparedCommand> {
        Err(unsupported(WHAT))
    }
}

/// Starts commands. Not available on this system.
#[derive(Debug)]
pub struct CommandSpawner(Infallible);

impl CommandSpawner {
    /// A spawner.
    ///
    /// # Errors
    /// Always.
    pub fn new() -> io::Result<CommandSpawner> {
        Err(unsupported(WHAT))
    }

    /// Starts a command.
    ///
    /// # Errors
    /// Always.
    pub fn start(
        &mut self,
        _command: &PreparedCommand,
        _streams: [&File; 3],
        _now: impl Fn() -> u64,
    ) -> io::Result<RunningCommand> {
        match self.0 {}
    }
}

/// A command that runs. Not available on this system.
#[derive(Debug)]
pub struct RunningCommand(Infallible);

impl RunningCommand {
    /// Process id.
    pub fn id(&self) -> u32 {
        match self.0 {}
    }

    /// The reading of the clock at its start.
    pub fn started(&self) -> u64 {
        match self.0 {}
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// Never.
    pub fn wait<D>(&self, _other: &D, _timeout: Option<Duration>) -> io::Result<CommandEvent> {
        match self.0 {}
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// Never.
    pub fn wait_end(&self, _timeout: Duration) -> io::Result<()> {
        match self.0 {}
    }

    /// Ends every process of its group.
    pub fn end_group(&self, _at_once: bool) {
        match self.0 {}
    }

    /// What the system counted.
    ///
    /// # Errors
    /// Never.
    pub fn reap(self, _now: impl Fn() -> u64) -> io::Result<(u64, CommandUsage)> {
        match self.0 {}
    }
}

/// Ends the processes of the group of a command.
pub fn end_group_of(_command: u32) {}

/// Runs this in a copy of this process.
///
/// # Errors
/// Always.
pub fn in_small_copy(_run: impl FnOnce() -> u8) -> io::Result<u8> {
    Err(unsupported(WHAT))
}

/// A file in memory.
///
/// # Errors
/// Always.
pub fn memory_file() -> io::Result<File> {
    Err(unsupported(WHAT))
}

/// Has a file in memory keep its length.
///
/// # Errors
/// Always.
pub fn keep_length(_memory: &File) -> io::Result<()> {
    Err(unsupported(WHAT))
}

/// A file that a command reads.
///
/// # Errors
/// Always.
pub fn open_input<D>(_path: &Path, _other: &D) -> io::Result<Option<File>> {
    Err(unsupported(WHAT))
}

/// A file that a command writes.
///
/// # Errors
/// Always.
pub fn open_output<D>(_path: &Path, _other: &D) -> io::Result<Option<File>> {
    Err(unsupported(WHAT))
}
