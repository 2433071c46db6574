use std::ffi::OsString;
use std::fs::File;

use crate::Executable;

/// What to start as a child process.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// The executable.
    pub executable: &'a Executable,
    /// Its arguments, without the name of the program.
    pub arguments: &'a [&'a str],
    /// Variables added to the environment that this process has.
    pub environment: &'a [(OsString, OsString)],
    /// Where its stderr goes.
    pub stderr: ErrorOutput,
}

/// Where the stderr of a child goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorOutput {
    /// Into an unlinked temporary file, whose tail can be read afterwards.
    File,
    /// To the stderr of this process.
    Inherit,
}

/// What a wait on a child found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// Its output has something to read, or has ended.
    pub output: bool,
    /// The child has ended; its output may still hold something.
    pub ended: bool,
    /// A signal has been noted.
    pub signal: bool,
}

/// The worker's ends of the pipes to its coordinator. Closed when the process executes another
/// program.
#[derive(Debug)]
pub struct Protocol {
    /// What the coordinator says.
    pub input: File,
    /// What the worker says.
    pub output: File,
}
