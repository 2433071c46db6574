//! Processes of commands that this program starts itself: on Windows and macOS, where the peak memory of a process says
//! nothing of its parent's.

use std::fs::File;
use std::io::{self, PipeReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use tourbillon_clock::{Clock, Stopwatch};
use tourbillon_coordinator::runner::RunClock;
use tourbillon_os::Signals;
use tourbillon_os::command::{CommandStart, OwnCommand, StderrFile};
use tourbillon_tool::exit::Stop;
use tourbillon_tool::run_clock::ToolRunClock;

use crate::runner::{Execute, Meanwhile, Reader};
use crate::wire::{End, Job, NotRun, Output, Ran};

/// How often signals and the length of stderr are looked at while a command runs.
const LOOK: Duration = Duration::from_millis(100);

/// Bytes of the end of stderr that are kept.
const STDERR_BYTES: usize = 4096;

/// Most bytes of stderr: they are in a file.
const MOST_STDERR_BYTES: u64 = 64 << 20;

/// Bytes that are read at once from what a command writes, and pieces that wait.
const PIECE: usize = 1 << 16;
const PIECES: usize = 16;

/// The null device.
const NULL: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// Processes that this program starts.
#[derive(Debug)]
pub(crate) struct Processes<'c> {
    signals: Signals,
    clock: Clock,
    run_clock: &'c ToolRunClock,
}

/// Pieces of what a command writes, and who gets them.
type Reading<'r> = (Receiver<Vec<u8>>, Reader<'r>);

impl<'c> Processes<'c> {
    pub(crate) fn start(run_clock: &'c ToolRunClock) -> Result<Processes<'c>, Stop> {
        let failed = |error: io::Error| Stop::Environment(format!("commands cannot run: {error}"));
        Ok(Processes {
            signals: Signals::install().map_err(failed)?,
            clock: Clock::by_name(&run_clock.facts.source)
                .map_err(|error| failed(io::Error::other(error)))?,
            run_clock,
        })
    }

    /// Runs a process to its end; with a place for what it writes to stdout.
    fn run_with(
        &self,
        job: &Job,
        stdout: &File,
        reading: Option<Reading<'_>>,
        meanwhile: Meanwhile<'_>,
    ) -> Result<Ran, NotRun> {
        if self.signals.noted().is_some() {
            return Err(NotRun::Interrupted);
        }
        let on_file =
            |what: String| move |error: io::Error| NotRun::Machine(format!("{what}: {error}"));
        let input = match &job.input {
            None => null(),
            Some(path) => File::open(path),
        };
        let path = job.input.clone().unwrap_or_else(|| NULL.into());
        let input = input.map_err(on_file(format!("the input {path:?} cannot be read")))?;
        let errors = StderrFile::create().map_err(on_file("stderr cannot be kept".to_owned()))?;
        let stderr = if job.shows_stderr {
            own_stderr()
        } else {
            errors.for_child()
        };
        let stderr = stderr.map_err(on_file("there is no stderr".to_owned()))?;
        let start = CommandStart {
            program: &job.program,
            arguments: &job.arguments,
            environment: &job.environment,
            folder: job.folder.as_deref(),
        };
        let clock = self.clock.clone();
        // A reading at the start and one at the end differ by what the clock itself takes.
        let started = OwnCommand::start(start, [&input, stdout, &stderr], move || clock.stop().0);
        let running = started.map_err(|error| {
            NotRun::Failed(format!("{:?} cannot be started: {error}", job.program))
        })?;
        let waited = |error: io::Error| {
            NotRun::Machine(format!("{:?} cannot be waited for: {error}", job.program))
        };
        self.waited(running, job, &errors, (reading, meanwhile))
            .map_err(waited)?
    }

    fn waited(
        &self,
        mut running: OwnCommand,
        job: &Job,
        errors: &StderrFile,
        (mut reading, meanwhile): (Option<Reading<'_>>, Meanwhile<'_>),
    ) -> io::Result<Result<Ran, NotRun>> {
        let (pid, started) = (running.id(), running.started());
        let stopwatch = Stopwatch::start();
        let mut is_late = false;
        let why = loop {
            let left = job
                .timeout_ns
                .map(|ns| ns.saturating_sub(stopwatch.elapsed_ns()));
            let wait = left.map_or(LOOK, |ns| LOOK.min(Duration::from_nanos(ns)));
            let is_read = match &mut reading {
                None => true,
                Some((pieces, reader)) => match pieces.recv_timeout(wait) {
                    Ok(piece) if reader(&piece).is_continue() => continue,
                    Ok(_) => break Some(NotRun::Interrupted),
                    Err(RecvTimeoutError::Timeout) => running.wait(Duration::ZERO)?,
                    Err(RecvTimeoutError::Disconnected) => true,
                },
            };
            if is_read && running.wait(wait)? {
                break None;
            }
            if self.signals.noted().is_some() {
                break Some(NotRun::Interrupted);
            }
            if errors.bytes()? > MOST_STDERR_BYTES {
                break Some(NotRun::flooded(&job.program));
            }
            meanwhile(self.run_clock.now_ns());
            if left == Some(0) {
                is_late = true;
                break None;
            }
        };
        if is_late || why.is_some() {
            running.end_group(true);
        }
        let (ended, ending, usage) = running.reap()?;
        if let Some(why) = why {
            return Ok(Err(why));
        }
        let end = End::of(ending, is_late);
        let stderr = match end {
            End::Code(0) => Vec::new(),
            _ => errors.tail(STDERR_BYTES)?,
        };
        Ok(Ok(Ran {
            end,
            pid: pid.into(),
            ticks: ended.saturating_sub(started),
            usage,
            counts: Vec::new(),
            stderr,
        }))
    }
}

impl Execute for Processes<'_> {
    fn run_while(&mut self, job: &Job, meanwhile: Meanwhile<'_>) -> Result<Ran, NotRun> {
        let (stdout, what) = match &job.output {
            Output::Null => (null(), NULL.into()),
            Output::Inherit => (own_stdout(), "stdout".into()),
            Output::File(path) => (File::create(path), path.clone()),
        };
        let stdout = stdout.map_err(|error| {
            NotRun::Machine(format!("the output {what:?} cannot be written: {error}"))
        })?;
        self.run_with(job, &stdout, None, meanwhile)
    }

    fn read(&mut self, job: &Job, reader: Reader<'_>) -> Result<Ran, NotRun> {
        let machine = |error: io::Error| NotRun::Machine(format!("stdout cannot be read: {error}"));
        let (pipe, output) = io::pipe().map_err(machine)?;
        let pieces = pieces_of(pipe).map_err(machine)?;
        #[cfg(unix)]
        let output = File::from(std::os::fd::OwnedFd::from(output));
        #[cfg(windows)]
        let output = File::from(std::os::windows::io::OwnedHandle::from(output));
        self.run_with(job, &output, Some((pieces, reader)), &mut |_| {})
    }

    fn now_ns(&self) -> u64 {
        self.run_clock.now_ns()
    }
}

/// What arrives in a pipe, by a thread: not every system waits for a pipe for a limited time.
fn pieces_of(mut pipe: PipeReader) -> io::Result<Receiver<Vec<u8>>> {
    let (sender, pieces) = sync_channel(PIECES);
    let read = move || {
        let mut piece = vec![0; PIECE];
        while let Ok(count @ 1..) = pipe.read(&mut piece) {
            if sender.send(piece[..count].to_vec()).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().spawn(read)?;
    Ok(pieces)
}

fn null() -> io::Result<File> {
    File::options().read(true).write(true).open(NULL)
}

#[cfg(unix)]
fn own_stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(unix)]
fn own_stderr() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stderr().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn own_stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdout()
        .as_handle()
        .try_clone_to_owned()
        .map(File::from)
}

#[cfg(windows)]
fn own_stderr() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stderr()
        .as_handle()
        .try_clone_to_owned()
        .map(File::from)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    /// A line of the system's own shell.
    fn job(line: &str) -> Job {
        let [program, flag] = if cfg!(windows) {
            ["cmd.exe", "/C"]
        } else {
            ["/bin/sh", "-c"]
        };
        let folder = std::env::var("SystemRoot").map(|root| format!("{root}/system32/"));
        let folder = folder.unwrap_or_default();
        Job {
            program: format!("{folder}{program}").into(),
            arguments: [program, flag, line].map(Into::into).to_vec(),
            environment: vec!["A=one".into()],
            ..Job::default()
        }
    }

    fn with(run: impl FnOnce(&mut Processes<'_>)) {
        let run_clock = ToolRunClock::start().expect("a clock");
        run(&mut Processes::start(&run_clock).expect("signals"));
    }

    #[test]
    fn a_command_has_its_end_and_what_it_took() {
        with(|processes| {
            let ran = processes.run(&job("exit 3")).expect("it runs");
            assert_eq!(ran.end, End::Code(3));
            assert!(ran.ticks > 0 && ran.usage.peak_bytes > 64 << 10, "{ran:?}");
            assert!(!ran.usage.left_processes);
        });
    }

    #[test]
    fn what_a_command_writes_is_read_with_its_variables() {
        with(|processes| {
            let line = if cfg!(windows) { "echo %A%" } else { "echo $A" };
            let mut text = Vec::new();
            let mut reader = |piece: &[u8]| {
                text.extend_from_slice(piece);
                ControlFlow::Continue(())
            };
            let ran = processes.read(&job(line), &mut reader).expect("it runs");
            assert_eq!(ran.end, End::Code(0));
            assert_eq!(String::from_utf8_lossy(&text).trim(), "one");
        });
    }

    #[test]
    fn a_command_that_takes_too_long_is_ended() {
        with(|processes| {
            let line = if cfg!(windows) {
                "for /L %i in (0,0,1) do @rem"
            } else {
                "sleep 300"
            };
            let late = Job {
                timeout_ns: Some(200_000_000),
                ..job(line)
            };
            assert_eq!(processes.run(&late).expect("it runs").end, End::TimedOut);
        });
    }

    #[test]
    fn files_that_are_missing_are_no_fault_of_the_command() {
        with(|processes| {
            let input = Job {
                input: Some("no such file".into()),
                ..job("exit 0")
            };
            assert!(matches!(processes.run(&input), Err(NotRun::Machine(_))));
            let program = Job {
                program: "no such program".into(),
                ..job("exit 0")
            };
            assert!(matches!(processes.run(&program), Err(NotRun::Failed(_))));
        });
    }
}
