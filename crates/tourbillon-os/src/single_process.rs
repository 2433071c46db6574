//! Systems with a single process, such as WebAssembly: what needs another one does not exist, and its types have no
//! values.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io;
use std::time::Duration;

use crate::affinity::unsupported;
use crate::{Ending, ErrorOutput, Executable, Protocol, Ready};

/// A child process: there is none.
#[derive(Debug)]
pub enum Child {}

impl Child {
    /// Process id.
    pub fn id(&self) -> u32 {
        match *self {}
    }

    /// Writes to its stdin.
    ///
    /// # Errors
    /// None.
    pub fn write(&mut self, _bytes: &[u8]) -> io::Result<()> {
        match *self {}
    }

    /// Waits for output, its end, or a signal.
    ///
    /// # Errors
    /// None.
    pub fn wait_ready(
        &mut self,
        _output: bool,
        _signals: Option<&Signals>,
        _timeout: Duration,
    ) -> io::Result<Ready> {
        match *self {}
    }

    /// Reads from its stdout.
    ///
    /// # Errors
    /// None.
    pub fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
        match *self {}
    }

    /// Kills it with its group.
    pub fn kill_group(&self) {
        match *self {}
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// None.
    pub fn wait(&mut self, _timeout: Duration) -> io::Result<Option<Ending>> {
        match *self {}
    }

    /// Kills it and waits for its end.
    pub fn end(&mut self, _timeout: Duration) -> Ending {
        match *self {}
    }

    /// Number of processes that it left.
    pub fn left(&self) -> u32 {
        match *self {}
    }

    /// Bytes written to its stderr.
    pub fn stderr_bytes(&self) -> Option<u64> {
        match *self {}
    }

    /// The last bytes of its stderr.
    pub fn stderr_tail(&self, _bytes: usize) -> Vec<u8> {
        match *self {}
    }
}

/// What would start an executable.
#[derive(Debug)]
pub struct Launcher(());

impl Launcher {
    /// Would start `executable`.
    pub fn new(_executable: &Executable) -> Launcher {
        Launcher(())
    }

    /// Adds an argument.
    pub fn argument(&mut self, _argument: impl AsRef<OsStr>) {}

    /// Sets the destination of stderr.
    pub fn stderr(&mut self, _stderr: ErrorOutput) {}

    /// Adds a variable.
    pub fn variable(&mut self, _name: &OsStr, _value: &OsStr) {}

    /// Starts a process.
    ///
    /// # Errors
    /// Always.
    pub fn start(&mut self) -> io::Result<Child> {
        Err(unsupported("starting processes"))
    }
}

/// A pipe between two processes: there is none.
#[derive(Debug)]
pub enum InheritedPipe {}

impl InheritedPipe {
    /// A pipe to be inherited.
    ///
    /// # Errors
    /// Always.
    pub fn new<P>(_pipe: P) -> io::Result<InheritedPipe> {
        Err(unsupported("inheriting pipes"))
    }

    /// Its path.
    pub fn path(&self) -> String {
        match *self {}
    }
}

/// Opens a pipe that this process has inherited.
///
/// # Errors
/// Always.
pub fn open_inherited(_options: &OpenOptions, _path: &str) -> io::Result<File> {
    Err(unsupported("inheriting pipes"))
}

/// Signals that end a run: there are none.
#[derive(Clone, Copy, Debug)]
pub enum Signals {}

impl Signals {
    /// Installs the handlers.
    ///
    /// # Errors
    /// Always.
    pub fn install() -> io::Result<Signals> {
        Err(unsupported("waiting for signals"))
    }

    /// The handlers, if they have been installed.
    pub fn installed() -> Option<Signals> {
        None
    }

    /// The number of the first signal that arrived.
    pub fn noted(&self) -> Option<i32> {
        match *self {}
    }

    /// The same, without handlers.
    pub fn first() -> Option<i32> {
        None
    }

    /// A signal ends the process at once.
    pub fn end_at_once() {}

    /// Whether it does.
    pub fn ends_at_once() -> bool {
        true
    }

    /// Until the guard is dropped, a signal is noted.
    #[must_use]
    pub fn while_waiting() -> Waiting {
        Waiting(())
    }
}

/// While it lives, a signal is noted.
#[derive(Debug)]
pub struct Waiting(());

/// Makes a write past the size limit of files an error: it is one.
pub fn refuse_large_files() {}

/// Takes the pipes to the coordinator.
///
/// # Errors
/// Always: nothing is a worker here.
pub fn take_protocol(_nocapture: bool) -> io::Result<Protocol> {
    Err(unsupported("a worker"))
}

/// Ties this process to its coordinator.
///
/// # Errors
/// Always.
pub fn tie_to_coordinator(_input: &File) -> io::Result<()> {
    Err(unsupported("a worker"))
}

/// Whether the coordinator has ended.
pub fn coordinator_gone(_input: &File) -> bool {
    true
}

/// Would call `last` at the end of this process: an end by `exit` is not noticed here.
pub fn at_exit(_last: fn() -> Option<u8>) {}

/// Columns of the terminal behind a stream: not known.
pub fn terminal_width<S>(_stream: &S) -> Option<u16> {
    None
}

/// Lines of the terminal behind a stream: not known.
pub fn terminal_height<S>(_stream: &S) -> Option<u16> {
    None
}

/// Whether the terminal behind a stream follows escape sequences.
pub fn follow_escapes<S>(_stream: &S) -> bool {
    false
}
