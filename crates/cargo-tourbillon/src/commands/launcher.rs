//! The launcher: this program once more, as a small process that starts the commands.
//!
//! What the system reports as the peak memory of a process is at least what its parent had when it started the
//! process. The coordinator keeps all samples; the launcher keeps nothing.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use tourbillon_clock::{Clock, Stopwatch};
use tourbillon_os::command::{
    CommandEvent, CommandSpawner, CommandUsage, PreparedCommand, RunningCommand, in_small_copy,
    memory_file, open_input, open_output,
};
use tourbillon_os::{Ending, is_closed};

use super::wire::{End, Job, Output, Ran, read_message, write_result};
use crate::exit::{ENVIRONMENT, say};

/// Bytes of the end of stderr that are kept.
const STDERR_BYTES: u64 = 4096;

/// Time between the request to end and the end by force.
const GRACE: Duration = Duration::from_secs(1);

/// Runs the commands that the coordinator sends through stdin, until it closes that. `clock` is the name of the clock.
pub(super) fn main(clock: &str) -> ExitCode {
    let served = Launcher::new(clock).and_then(|mut launcher| {
        in_small_copy(|| match launcher.serve() {
            Ok(()) => 0,
            Err(error) => failed(&error),
        })
    });
    served.unwrap_or_else(|error| failed(&error)).into()
}

/// Says why the launcher ends; gives its exit code.
fn failed(error: &io::Error) -> u8 {
    say(&format!(
        "error: the launcher of commands failed: {error}\n"
    ));
    ENVIRONMENT
}

struct Launcher {
    coordinator: UnixStream,
    clock: Clock,
    spawner: CommandSpawner,
    null: File,
    stdout: File,
    stderr: File,
    /// What a command writes to stderr.
    errors: File,
}

impl Launcher {
    fn new(clock: &str) -> io::Result<Launcher> {
        Ok(Launcher {
            coordinator: UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?),
            clock: Clock::by_name(clock).map_err(io::Error::other)?,
            spawner: CommandSpawner::new()?,
            null: File::options().read(true).write(true).open("/dev/null")?,
            stdout: File::from(io::stdout().as_fd().try_clone_to_owned()?),
            stderr: File::from(io::stderr().as_fd().try_clone_to_owned()?),
            errors: memory_file()?,
        })
    }

    fn serve(&mut self) -> io::Result<()> {
        while let Some(message) = read_message(&mut self.coordinator)? {
            let job = Job::parse(&message)?;
            let result = self.run(&job);
            match write_result(&result, &mut self.coordinator) {
                // The coordinator has ended meanwhile.
                Err(error) if is_closed(&error) => return Ok(()),
                written => written?,
            }
        }
        Ok(())
    }

    /// Runs a command; the error is why it could not be run.
    fn run(&mut self, job: &Job) -> Result<Ran, String> {
        // A pipe waits for its other end, at most as long as the coordinator waits.
        let left = || "the coordinator has ended".to_owned();
        let input = match &job.input {
            None => None,
            Some(path) => {
                let opened = open_input(Path::new(path), &self.coordinator)
                    .map_err(|error| format!("the input {path:?} cannot be read: {error}"))?;
                Some(opened.ok_or_else(left)?)
            }
        };
        let output = match &job.output {
            Output::Null | Output::Inherit => None,
            Output::File(path) => {
                let opened = open_output(Path::new(path), &self.coordinator)
                    .map_err(|error| format!("the output {path:?} cannot be written: {error}"))?;
                Some(opened.ok_or_else(left)?)
            }
        };
        let emptied = self.errors.set_len(0);
        emptied
            .and_then(|()| self.errors.seek(SeekFrom::Start(0)))
            .map_err(|error| format!("stderr cannot be kept: {error}"))?;
        let failed = |error: io::Error| start_error(job, &error);
        let command = PreparedCommand::new(
            &job.program,
            &job.arguments,
            &job.environment,
            job.folder.as_deref(),
        )
        .map_err(failed)?;
        let streams = [
            input.as_ref().unwrap_or(&self.null),
            match (&job.output, &output) {
                (Output::Inherit, _) => &self.stdout,
                (_, Some(file)) => file,
                _ => &self.null,
            },
            match job.shows_stderr {
                true => &self.stderr,
                false => &self.errors,
            },
        ];
        let clock = &self.clock;
        let running = self
            .spawner
            .start(&command, streams, || clock.start().0)
            .map_err(failed)?;
        self.finish(running, job.timeout_ns)
            .map_err(|error| format!("{:?} cannot be waited for: {error}", job.program))
    }

    /// Waits for the end of a command.
    fn finish(&mut self, running: RunningCommand, timeout_ns: Option<u64>) -> io::Result<Ran> {
        let (pid, started) = (running.id(), running.started());
        let is_in_time = self.waited(&running, timeout_ns)?;
        if !is_in_time {
            running.end_group(false);
            running.wait_end(GRACE)?;
            running.end_group(true);
        }
        let clock = &self.clock;
        let (ended, usage) = running.reap(|| clock.stop().0)?;
        let end = match usage.ending {
            _ if !is_in_time => End::TimedOut,
            Ending::Exited(code) => End::Code(code),
            Ending::Signalled(signal) => End::Signal(signal),
            Ending::NotSeen => End::Signal(0),
        };
        let CommandUsage {
            user_us,
            kernel_us,
            peak_bytes,
            minor_faults,
            major_faults,
            voluntary_switches,
            involuntary_switches,
            left_processes,
            ..
        } = usage;
        Ok(Ran {
            end,
            pid: pid.into(),
            ticks: ended.saturating_sub(started),
            user_us,
            kernel_us,
            peak_bytes,
            minor_faults,
            major_faults,
            voluntary_switches,
            involuntary_switches,
            left_processes,
            stderr: match end {
                End::Code(0) => Vec::new(),
                _ => self.tail()?,
            },
        })
    }

    /// Whether the command ended by itself: in time, and before the coordinator.
    fn waited(&self, running: &RunningCommand, timeout_ns: Option<u64>) -> io::Result<bool> {
        let stopwatch = Stopwatch::start();
        loop {
            let left = timeout_ns.map(|ns| ns.saturating_sub(stopwatch.elapsed_ns()));
            match running.wait(&self.coordinator, left.map(Duration::from_nanos))? {
                CommandEvent::Ended => return Ok(true),
                // The coordinator sends nothing before it has the answer: it has closed the connection.
                CommandEvent::Other => return Ok(false),
                CommandEvent::TimedOut if left == Some(0) => return Ok(false),
                CommandEvent::TimedOut => {}
            }
        }
    }

    /// The end of what the command wrote to stderr.
    fn tail(&mut self) -> io::Result<Vec<u8>> {
        let length = self.errors.metadata()?.len();
        let from = length.saturating_sub(STDERR_BYTES);
        self.errors.seek(SeekFrom::Start(from))?;
        let mut tail = Vec::new();
        (&self.errors).take(STDERR_BYTES).read_to_end(&mut tail)?;
        Ok(tail)
    }
}

/// Why a command cannot be started, and what to do.
fn start_error(job: &Job, error: &io::Error) -> String {
    /// The number of "Exec format error" on Linux.
    const NO_FORMAT: i32 = 8;
    let program = &job.program;
    if error.raw_os_error() == Some(NO_FORMAT) {
        let advice = "add a first line such as #!/bin/sh, or use --shell sh";
        return format!(
            "{program:?} is neither a program nor a script with an interpreter; {advice}"
        );
    }
    match &job.folder {
        Some(folder) if !Path::new(folder).is_dir() => {
            format!("the folder {folder:?} cannot be entered: {error}")
        }
        _ => format!("{program:?} cannot be started: {error}"),
    }
}
