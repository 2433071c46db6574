use std::ffi::OsStr;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::stderr_file::StderrFile;
use crate::{Child, ErrorOutput, Executable, strays};

/// Starts an executable in the same way, again and again.
///
/// What it holds, a few hundred bytes, is given back by [`Launcher::close`] only: most processes
/// have one for as long as they live, and every bench binary would be built with the code that
/// frees a command.
#[derive(Debug)]
pub struct Launcher {
    command: ManuallyDrop<Command>,
    stderr: ErrorOutput,
}

impl Launcher {
    /// Of an executable; the stderr of its processes goes into a file each.
    pub fn new(executable: &Executable) -> Launcher {
        let mut command = ManuallyDrop::new(Command::new(executable.path()));
        command
            .arg0(executable.shown())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0);
        strays::mark(&mut command);
        Launcher {
            command,
            stderr: ErrorOutput::File,
        }
    }

    /// Starts with one more argument, from now on.
    pub fn argument(&mut self, argument: &str) {
        self.command.arg(argument);
    }

    /// Where stderr goes, from now on.
    pub fn stderr(&mut self, stderr: ErrorOutput) {
        self.stderr = stderr;
    }

    /// Starts with this variable besides those of this process, from now on.
    pub fn variable(&mut self, name: &OsStr, value: &OsStr) {
        self.command.env(name, value);
    }

    /// Starts a process.
    ///
    /// Call it from the main thread: where the system ends a child with its parent, it means the
    /// thread that started it.
    ///
    /// # Errors
    /// When the process or its temporary file cannot be made.
    pub fn start(&mut self) -> io::Result<Child> {
        let stderr = match self.stderr {
            ErrorOutput::File => Some(StderrFile::create()?),
            ErrorOutput::Inherit => None,
        };
        if let Some(file) = &stderr {
            self.command.stderr(file.for_child()?);
        }
        let started = strays::started(&mut || self.command.spawn());
        // The child has it; here it is closed.
        self.command.stderr(Stdio::inherit());
        let mut process = ManuallyDrop::new(started?);
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::Error::other("a child was started without its pipes"));
        };
        Ok(Child::of(
            process,
            OwnedFd::from(input),
            OwnedFd::from(output),
            stderr,
        ))
    }

    /// Gives back what it holds.
    #[inline]
    pub fn close(self) {
        drop(ManuallyDrop::into_inner(self.command));
    }
}
