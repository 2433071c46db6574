//! Systems without processes and signals as Unix has them: every call says so. A type that would
//! need them has no value.

use std::convert::Infallible;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::time::Duration;

use crate::{Ending, ErrorOutput, Executable, Launch, Protocol, Ready};

fn unsupported(what: &str) -> io::Error {
    let text = format!("{what} is not available on this system");
    io::Error::new(io::ErrorKind::Unsupported, text)
}

/// Starts an executable. Not available on this system.
#[derive(Debug)]
pub struct Launcher(());

impl Launcher {
    /// Of an executable.
    pub fn new(_executable: &Executable) -> Launcher {
        Launcher(())
    }

    /// Starts with one more argument.
    pub fn argument(&mut self, _argument: &str) {}

    /// Where stderr goes.
    pub fn stderr(&mut self, _stderr: ErrorOutput) {}

    /// Starts with this variable.
    pub fn variable(&mut self, _name: &OsStr, _value: &OsStr) {}

    /// Starts a process.
    ///
    /// # Errors
    /// Always.
    pub fn start(&mut self) -> io::Result<Child> {
        Err(unsupported("a worker process"))
    }

    /// Gives back what it holds.
    pub fn close(self) {}
}

/// A child process. Not available on this system.
#[derive(Debug)]
pub struct Child(Infallible);

impl Child {
    /// Starts a process.
    ///
    /// # Errors
    /// Always.
    pub fn spawn(_launch: Launch<'_>) -> io::Result<Child> {
        Err(unsupported("a worker process"))
    }

    /// Process id.
    pub fn id(&self) -> u32 {
        match self.0 {}
    }

    /// Writes to the child's stdin.
    ///
    /// # Errors
    /// None: there is no such child.
    pub fn write(&mut self, _bytes: &[u8]) -> io::Result<()> {
        match self.0 {}
    }

    /// Waits for output, for the end, or for a signal.
    ///
    /// # Errors
    /// None: there is no such child.
    pub fn wait_ready(
        &mut self,
        _output: bool,
        _signals: Option<&Signals>,
        _timeout: Duration,
    ) -> io::Result<Ready> {
        match self.0 {}
    }

    /// Reads what the child wrote to its stdout.
    ///
    /// # Errors
    /// None: there is no such child.
    pub fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }

    /// Kills every process of the group.
    pub fn kill_group(&self) {
        match self.0 {}
    }

    /// Waits for the child's end.
    ///
    /// # Errors
    /// None: there is no such child.
    pub fn wait(&mut self, _timeout: Duration) -> io::Result<Option<Ending>> {
        match self.0 {}
    }

    /// Kills every process of the group, and waits for the child's end.
    pub fn end(&mut self, _timeout: Duration) -> Ending {
        match self.0 {}
    }

    /// Processes that had left its group.
    pub fn left(&self) -> u32 {
        match self.0 {}
    }

    /// How many bytes went to its stderr by now.
    pub fn stderr_bytes(&self) -> Option<u64> {
        match self.0 {}
    }

    /// The last bytes that went to its stderr.
    pub fn stderr_tail(&self, _bytes: usize) -> Vec<u8> {
        match self.0 {}
    }
}

/// A descriptor that is handed on. Not available on this system.
#[derive(Debug)]
pub struct Handed(Infallible);

impl Handed {
    /// A copy to hand on.
    ///
    /// # Errors
    /// Always.
    pub fn new<D>(_descriptor: D) -> io::Result<Handed> {
        Err(unsupported("a pipe between two workers"))
    }

    /// Where a process that has it can open it.
    pub fn path(&self) -> String {
        match self.0 {}
    }
}

/// SIGINT and SIGTERM. Not available on this system.
#[derive(Clone, Copy, Debug)]
pub struct Signals(Infallible);

impl Signals {
    /// Installs the handlers.
    ///
    /// # Errors
    /// Always.
    pub fn install() -> io::Result<Signals> {
        Err(unsupported("a handler of signals"))
    }

    /// The number of the first signal that arrived.
    pub fn noted(&self) -> Option<i32> {
        match self.0 {}
    }
}

/// Takes the pipes to the coordinator away from stdin and stdout.
///
/// # Errors
/// Always.
pub fn take_protocol(_nocapture: bool) -> io::Result<Protocol> {
    Err(unsupported("a worker process"))
}

/// Sees to it that this process ends when its coordinator does.
///
/// # Errors
/// Always.
pub fn tie_to_coordinator(_input: &File) -> io::Result<()> {
    Err(unsupported("a worker process"))
}

/// Whether the coordinator has ended: never known here.
pub fn coordinator_gone(_input: &File) -> bool {
    false
}

/// Columns of the terminal behind a stream: not known here.
pub fn terminal_width<S>(_stream: &S) -> Option<u16> {
    None
}

/// Calls `last` when this process ends by `exit`. Not available on this system: it is never called.
pub fn at_exit(_last: fn() -> Option<u8>) {}
