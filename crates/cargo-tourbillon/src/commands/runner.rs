//! The coordinator's end of the connection to the launcher.

use std::ffi::OsString;

use super::wire::{Job, Ran};

/// The argument of the launcher, before the name of its clock.
pub(super) const LAUNCHER: &str = "--tourbillon-launcher=";

/// Why a process has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(unix),
    expect(dead_code, reason = "nothing runs commands on this system")
)]
pub(super) enum NotRun {
    /// A signal stops the measurement.
    Interrupted,
    /// It could not be run.
    Failed(String),
}

/// Runs processes, one after the other.
pub(super) trait Execute {
    /// Runs a process to its end.
    fn run(&mut self, job: &Job) -> Result<Ran, NotRun>;

    /// Nanoseconds since some moment; never decreases.
    fn now_ns(&self) -> u64;
}

/// The name of the clock, if these are the arguments of a launcher.
pub(super) fn clock_of(arguments: &[OsString]) -> Option<&str> {
    match arguments {
        [_, only] => only.to_str()?.strip_prefix(LAUNCHER),
        _ => None,
    }
}

#[cfg(unix)]
pub(super) use self::unix::Processes;

#[cfg(unix)]
mod unix {
    use std::io::{ErrorKind, Read};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Stdio};
    use std::time::Duration;

    use tourbillon_builds::{Flag, Invocation};
    use tourbillon_os::{Executable, Signals};
    use tourbillon_runner::RunClock;

    use super::super::wire::{parse_result, read_message};
    use super::{Execute, Job, LAUNCHER, NotRun, Ran};
    use crate::exit::Stop;
    use crate::run_clock::SystemRunClock;

    /// How often signals are looked for while a command runs.
    const LOOK: Duration = Duration::from_millis(100);

    /// Processes that the launcher starts.
    #[derive(Debug)]
    pub(in super::super) struct Processes<'c> {
        launcher: Child,
        /// `None` after a signal.
        connection: Option<UnixStream>,
        signals: Signals,
        run_clock: &'c SystemRunClock,
    }

    impl<'c> Processes<'c> {
        /// Starts the launcher.
        pub(in super::super) fn start(
            run_clock: &'c SystemRunClock,
        ) -> Result<Processes<'c>, Stop> {
            let failed = |error| {
                Stop::Environment(format!(
                    "the launcher of commands cannot be started: {error}"
                ))
            };
            let signals = Signals::install().map_err(failed)?;
            let (connection, other) = UnixStream::pair().map_err(failed)?;
            connection.set_read_timeout(Some(LOOK)).map_err(failed)?;
            let executable = Executable::own().map_err(failed)?;
            // A group of its own, so that an interrupt at the terminal reaches the coordinator alone.
            let launcher = Invocation::new(executable.path())
                .flags(&[Flag::new(LAUNCHER, &run_clock.facts.source)])
                .process()
                .stdin(Stdio::from(OwnedFd::from(other)))
                .process_group(0)
                .spawn();
            Ok(Processes {
                launcher: launcher.map_err(failed)?,
                connection: Some(connection),
                signals,
                run_clock,
            })
        }

        fn exchange(&mut self, job: &Job) -> Result<Ran, NotRun> {
            let lost = |error: std::io::Error| {
                NotRun::Failed(format!("the launcher of commands is gone: {error}"))
            };
            if self.signals.noted().is_some() {
                self.connection = None;
            }
            let Some(connection) = &mut self.connection else {
                return Err(NotRun::Interrupted);
            };
            job.write(connection).map_err(lost)?;
            let mut patient = Patient {
                connection,
                signals: self.signals,
            };
            let message = match read_message(&mut patient) {
                Err(error) if error.kind() == ErrorKind::TimedOut => {
                    // The launcher ends the command when the connection closes.
                    self.connection = None;
                    return Err(NotRun::Interrupted);
                }
                message => message.map_err(lost)?,
            };
            let message = message.ok_or_else(|| lost(ErrorKind::UnexpectedEof.into()))?;
            let result = parse_result(&message).map_err(lost)?;
            result.map_err(NotRun::Failed)
        }
    }

    impl Execute for Processes<'_> {
        fn run(&mut self, job: &Job) -> Result<Ran, NotRun> {
            self.exchange(job)
        }

        fn now_ns(&self) -> u64 {
            self.run_clock.now_ns()
        }
    }

    impl Drop for Processes<'_> {
        fn drop(&mut self) {
            // The launcher ends when the connection closes, and the command with it.
            self.connection = None;
            let _ = self.launcher.wait();
        }
    }

    /// Reads without a time limit, until a signal arrives: then the error is `TimedOut`.
    struct Patient<'c> {
        connection: &'c mut UnixStream,
        signals: Signals,
    }

    impl Read for Patient<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            loop {
                match self.connection.read(buffer) {
                    Err(error)
                        if matches!(
                            error.kind(),
                            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                        ) =>
                    {
                        if self.signals.noted().is_some() {
                            return Err(ErrorKind::TimedOut.into());
                        }
                    }
                    other => return other,
                }
            }
        }
    }
}

#[cfg(not(unix))]
pub(super) use self::elsewhere::Processes;

#[cfg(not(unix))]
mod elsewhere {
    use std::convert::Infallible;

    use super::{Execute, Job, NotRun, Ran};
    use crate::exit::Stop;
    use crate::run_clock::SystemRunClock;

    /// Processes that the launcher starts. Not available on this system.
    #[derive(Debug)]
    pub(in super::super) struct Processes(Infallible);

    impl Processes {
        /// An error in words.
        pub(in super::super) fn start(_: &SystemRunClock) -> Result<Processes, Stop> {
            let what = "commands are measured on Linux only: this system has no wait4, which counts for one process";
            Err(Stop::Environment(what.to_owned()))
        }
    }

    impl Execute for Processes {
        fn run(&mut self, _: &Job) -> Result<Ran, NotRun> {
            match self.0 {}
        }

        fn now_ns(&self) -> u64 {
            match self.0 {}
        }
    }
}
