//! Starts processes.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::stderr_file::StderrFile;
use crate::tie::tie;
use crate::{Child, ErrorOutput, Executable, strays};

/// Starts an executable repeatedly, with the same arguments and variables.
#[derive(Debug)]
pub struct Launcher {
    command: Command,
    stderr: ErrorOutput,
}

impl Launcher {
    /// Starts `executable`; the stderr of each process goes to a file of its own.
    ///
    /// If an emulator runs this process on Linux, `executable` is started through cargo's runner, where the
    /// environment has one (`CARGO_TARGET_<triple>_RUNNER`).
    pub fn new(executable: &Executable) -> Launcher {
        #[cfg(not(target_os = "macos"))]
        let runner = crate::emulator::runner();
        #[cfg(target_os = "macos")]
        let runner = None;
        Launcher::through(runner, executable)
    }

    fn through(runner: Option<Vec<OsString>>, executable: &Executable) -> Launcher {
        let mut command = match runner.as_deref() {
            Some([runner, arguments @ ..]) => {
                let mut command = Command::new(runner);
                command.args(arguments).arg(executable.shown());
                command
            }
            _ => {
                let mut command = Command::new(executable.path());
                command.arg0(executable.shown());
                command
            }
        };
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0);
        strays::mark(&mut command);
        tie(&mut command);
        Launcher {
            command,
            stderr: ErrorOutput::File,
        }
    }

    /// Adds an argument for all later starts.
    pub fn argument(&mut self, argument: impl AsRef<OsStr>) {
        self.command.arg(argument);
    }

    /// Sets the destination of stderr for all later starts.
    pub fn stderr(&mut self, stderr: ErrorOutput) {
        self.stderr = stderr;
    }

    /// Adds a variable to the environment of all later starts.
    pub fn variable(&mut self, name: &OsStr, value: &OsStr) {
        self.command.env(name, value);
    }

    /// Sets the folder of all later starts; the path of the executable must be absolute.
    pub fn folder(&mut self, folder: &Path) {
        self.command.current_dir(folder);
    }

    /// Starts a process.
    ///
    /// Call it from the main thread: where the system ends a child with its parent, it ends it with
    /// the thread that started it.
    ///
    /// # Errors
    /// If the process or its temporary file cannot be created.
    pub fn start(&mut self) -> io::Result<Child> {
        let stderr = match self.stderr {
            ErrorOutput::File => Some(StderrFile::create()?),
            ErrorOutput::Inherit => None,
        };
        if let Some(file) = &stderr {
            self.command.stderr(file.for_child()?);
        }
        let started = strays::started(|| self.command.spawn());
        // Closes this process's copy of the file.
        self.command.stderr(Stdio::inherit());
        let mut process = started?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::Error::other("a child was started without its pipes"));
        };
        let (input, output) = (OwnedFd::from(input), OwnedFd::from(output));
        Ok(Child::new(process, input, output, stderr))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Ending;

    /// The thread ends as a coordinator does that is killed.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_becomes_no_worker_ends_with_its_coordinator() {
        let started = std::thread::spawn(|| {
            let mut launcher = Launcher::through(None, &Executable::at("/bin/sleep"));
            launcher.argument("600");
            launcher.start().expect("a process")
        });
        let mut child = started.join().expect("a child");
        let ending = child.wait(Duration::from_secs(300)).expect("an end");
        assert_eq!(ending, Some(Ending::Signalled(crate::sys::SIGKILL)));
    }

    #[test]
    fn a_runner_starts_the_executable() {
        let runner = ["/usr/bin/env", "RUNNER=7"].map(OsString::from).to_vec();
        let mut launcher = Launcher::through(Some(runner), &Executable::at("/bin/sh"));
        launcher.argument("-c");
        launcher.argument("exit $RUNNER");
        let mut child = launcher.start().expect("a shell");
        let ending = child.wait(Duration::from_secs(60)).expect("an end");
        assert_eq!(ending, Some(Ending::Exited(7)));
    }
}
