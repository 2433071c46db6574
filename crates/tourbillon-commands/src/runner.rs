//! The coordinator's end of the connection to the launcher.

use std::ffi::OsString;

use std::ops::ControlFlow;

use crate::wire::{Job, NotRun, Ran};

/// The first argument of the launcher, before the name of its clock.
pub(crate) const LAUNCHER: &str = "--tourbillon-launcher=";
/// The second one, before the path of the file that names the command.
pub(crate) const GROUP: &str = "--tourbillon-group=";

/// Gets what a process writes, piece by piece, until it wants no more.
pub(crate) type Reader<'r> = &'r mut dyn FnMut(&[u8]) -> ControlFlow<()>;

/// Gets the time, some times in a second while a process runs.
pub(crate) type Meanwhile<'m> = &'m mut dyn FnMut(u64);

/// Runs processes, one after the other.
pub(crate) trait Execute {
    /// Runs a process to its end.
    fn run_while(&mut self, job: &Job, meanwhile: Meanwhile<'_>) -> Result<Ran, NotRun>;

    /// The same, and nothing meanwhile.
    fn run(&mut self, job: &Job) -> Result<Ran, NotRun> {
        self.run_while(job, &mut |_| {})
    }

    /// The same, and gives what the process writes to stdout to `reader`. When that wants no more, the process is ended
    /// with its group, and the result is [`NotRun::Interrupted`].
    fn read(&mut self, job: &Job, reader: Reader<'_>) -> Result<Ran, NotRun>;

    /// Nanoseconds since some moment; never decreases.
    fn now_ns(&self) -> u64;

    /// Whether other programs take all processors now, between two commands; `None` where the system does not tell.
    fn is_contended(&self) -> Option<bool> {
        None
    }
}

/// The name of the clock and the path of the file that names the command, if these are the arguments of a launcher.
pub(crate) fn launcher_of(arguments: &[OsString]) -> Option<[&str; 2]> {
    let [_, clock, group] = arguments else {
        return None;
    };
    let clock = clock.to_str()?.strip_prefix(LAUNCHER)?;
    Some([clock, group.to_str()?.strip_prefix(GROUP)?])
}

#[cfg(target_os = "linux")]
pub(crate) use self::linux::Processes;

#[cfg(target_os = "linux")]
mod linux {
    use std::io::{self, ErrorKind, PipeReader, Read};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Stdio};
    use std::thread;
    use std::time::Duration;

    use tourbillon_builds::{Flag, Invocation};
    use tourbillon_coordinator::runner::RunClock;
    use tourbillon_os::command::readable_of;
    use tourbillon_os::{Executable, Signals};

    use super::{Execute, GROUP, Job, LAUNCHER, Meanwhile, NotRun, Ran, Reader};
    use crate::canary::Canary;
    use crate::group_file::GroupFile;
    use crate::wire::{Output, parse_result, read_message};
    use tourbillon_tool::exit::Stop;
    use tourbillon_tool::run_clock::ToolRunClock;

    /// How often signals are looked for while a command runs.
    const LOOK: Duration = Duration::from_millis(100);

    /// How often, and how many times, it is looked whether the launcher has ended: longer than a command gets to end.
    const LAST_LOOK: Duration = Duration::from_millis(5);
    const LAST_LOOKS: u32 = 600;

    /// Bytes that are read at once from what a command writes.
    const PIECE: usize = 1 << 16;

    /// Bytes that a pipe may hold when its command has ended. Processes that it left behind may go on writing.
    const PIPE_BYTES: usize = 1 << 20;

    /// Processes that the launcher starts.
    #[derive(Debug)]
    pub(in super::super) struct Processes<'c> {
        launcher: Child,
        /// `None` after a signal.
        connection: Option<UnixStream>,
        group: GroupFile,
        signals: Signals,
        canary: Option<Canary>,
        run_clock: &'c ToolRunClock,
    }

    impl<'c> Processes<'c> {
        /// Starts the launcher.
        pub(in super::super) fn start(run_clock: &'c ToolRunClock) -> Result<Processes<'c>, Stop> {
            let started = Signals::install()
                .and_then(|signals| Processes::with_stdout(run_clock, signals, Stdio::inherit()));
            started.map_err(|error| Stop::Environment(not_started(&error)))
        }

        fn with_stdout(
            run_clock: &'c ToolRunClock,
            signals: Signals,
            stdout: Stdio,
        ) -> io::Result<Processes<'c>> {
            let (connection, other) = UnixStream::pair()?;
            connection.set_read_timeout(Some(LOOK))?;
            let group = GroupFile::new()?;
            // A group of its own, so that an interrupt at the terminal reaches the coordinator alone.
            let launcher = Invocation::new(Executable::own()?.path())
                .flags(&[
                    Flag::new(LAUNCHER, &run_clock.facts.source),
                    Flag::new(GROUP, group.path()),
                ])
                .process()
                .stdin(Stdio::from(OwnedFd::from(other)))
                .stdout(stdout)
                .process_group(0)
                .spawn()?;
            Ok(Processes {
                launcher,
                connection: Some(connection),
                group,
                signals,
                canary: Canary::open(),
                run_clock,
            })
        }

        /// Runs a process; gives what it writes to the reader of a pipe, where there is one.
        fn exchange(
            &mut self,
            job: &Job,
            reading: Option<(&mut PipeReader, Reader<'_>)>,
            meanwhile: Meanwhile<'_>,
        ) -> Result<Ran, NotRun> {
            if self.signals.noted().is_some() {
                self.connection = None;
            }
            let Some(connection) = &mut self.connection else {
                return Err(NotRun::Interrupted);
            };
            job.write(connection).map_err(|error| lost(&error))?;
            if let Some((pipe, reader)) = reading
                && !read_all(pipe, connection, self.signals, reader)
                    .map_err(|error| lost(&error))?
            {
                // The launcher ends the command when the connection closes.
                self.connection = None;
                return Err(NotRun::Interrupted);
            }
            let mut patient = Patient {
                connection,
                signals: self.signals,
                run_clock: self.run_clock,
                meanwhile,
            };
            let message = match read_message(&mut patient) {
                Err(error) if error.kind() == ErrorKind::TimedOut => {
                    // The launcher ends the command when the connection closes.
                    self.connection = None;
                    return Err(NotRun::Interrupted);
                }
                message => message.map_err(|error| lost(&error))?,
            };
            let message = message.ok_or_else(|| lost(&ErrorKind::UnexpectedEof.into()))?;
            parse_result(&message).map_err(|error| lost(&error))?
        }
    }

    fn not_started(error: &io::Error) -> String {
        format!("the launcher of commands cannot be started: {error}")
    }

    fn lost(error: &io::Error) -> NotRun {
        NotRun::Machine(format!("the launcher of commands is gone: {error}"))
    }

    /// Reads what a command writes to a pipe until its result can be read from the connection. False if a signal
    /// arrives, or the reader wants no more.
    fn read_all(
        pipe: &mut PipeReader,
        connection: &UnixStream,
        signals: Signals,
        reader: Reader<'_>,
    ) -> io::Result<bool> {
        let mut piece = vec![0; PIECE];
        let mut after_end = 0;
        loop {
            if signals.noted().is_some() {
                return Ok(false);
            }
            let [has_output, has_ended] = readable_of(pipe, connection, LOOK)?;
            if has_ended && (!has_output || after_end >= PIPE_BYTES) {
                return Ok(true);
            }
            if !has_output {
                continue;
            }
            let count = pipe.read(&mut piece)?;
            if count == 0 {
                return Ok(true);
            }
            after_end += if has_ended { count } else { 0 };
            if reader(&piece[..count]).is_break() {
                return Ok(false);
            }
        }
    }

    impl Execute for Processes<'_> {
        fn run_while(&mut self, job: &Job, meanwhile: Meanwhile<'_>) -> Result<Ran, NotRun> {
            self.exchange(job, None, meanwhile)
        }

        fn read(&mut self, job: &Job, reader: Reader<'_>) -> Result<Ran, NotRun> {
            // A launcher of its own, whose stdout is the pipe: no process that an earlier command left behind has it.
            let piped = io::pipe().and_then(|(pipe, output)| {
                let stdout = Stdio::from(output);
                let own = Processes::with_stdout(self.run_clock, self.signals, stdout)?;
                Ok((pipe, own))
            });
            let (mut pipe, mut own) =
                piped.map_err(|error| NotRun::Machine(not_started(&error)))?;
            let job = Job {
                output: Output::Inherit,
                ..job.clone()
            };
            own.exchange(&job, Some((&mut pipe, reader)), &mut |_| {})
        }

        fn now_ns(&self) -> u64 {
            self.run_clock.now_ns()
        }

        fn is_contended(&self) -> Option<bool> {
            self.canary.as_ref()?.is_contended()
        }
    }

    impl Drop for Processes<'_> {
        fn drop(&mut self) {
            // The launcher ends when the connection closes, and the command with it.
            self.connection = None;
            for _ in 0..LAST_LOOKS {
                if !matches!(self.launcher.try_wait(), Ok(None)) {
                    break;
                }
                thread::sleep(LAST_LOOK);
            }
            // The command may have stopped it. Both end with it.
            let _ = self.launcher.kill();
            let _ = self.launcher.wait();
            self.group.end_left();
        }
    }

    /// Reads without a time limit, until a signal arrives: then the error is `TimedOut`.
    struct Patient<'c> {
        connection: &'c mut UnixStream,
        signals: Signals,
        run_clock: &'c ToolRunClock,
        meanwhile: Meanwhile<'c>,
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
                        (self.meanwhile)(self.run_clock.now_ns());
                    }
                    other => return other,
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) use super::own_processes::Processes;
