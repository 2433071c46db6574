//! The launcher: this program once more, as a small process that starts the commands.
//!
//! What the system reports as the peak memory of a process is at least what its parent had when it started the
//! process. The coordinator keeps all samples; the launcher keeps nothing.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{self, ExitCode};
use std::time::Duration;

use tourbillon_clock::{Clock, Stopwatch};
use tourbillon_os::command::{
    CommandCounters, CommandEvent, CommandSpawner, PreparedCommand, RunningCommand, in_small_copy,
    keep_length, memory_file, open_input, open_output,
};
use tourbillon_os::is_closed;
use tourbillon_tool::exit::{ENVIRONMENT, say};

use crate::group_file::GroupFile;
use crate::wire::{End, Job, NotRun, Output, Ran, read_message, write_result};

/// Bytes of the end of stderr that are kept.
const STDERR_BYTES: u64 = 4096;

/// Most bytes of stderr: it is kept in memory.
const MOST_STDERR_BYTES: u64 = 64 << 20;

/// How often the length of stderr is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Time between the request to end and the end by force.
const GRACE: Duration = Duration::from_secs(1);

/// Runs the commands that the coordinator sends through stdin, until it closes that. The texts are the name of the clock
/// and the path of the file that names the command.
pub(crate) fn main([clock, group]: [&str; 2]) -> ExitCode {
    let served = Launcher::new(clock, group).and_then(|mut launcher| {
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

/// What ended the wait for a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waited {
    /// It has ended by itself.
    Ended,
    /// Its time is up, or the coordinator is gone.
    Late,
    /// It has written too much to stderr.
    Flooded,
}

struct Launcher {
    coordinator: UnixStream,
    clock: Clock,
    group: GroupFile,
    spawner: CommandSpawner,
    null: File,
    stdout: File,
    stderr: File,
    /// What the last command writes to stderr.
    errors: File,
}

impl Launcher {
    fn new(clock: &str, group: &str) -> io::Result<Launcher> {
        Ok(Launcher {
            coordinator: UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?),
            clock: Clock::by_name(clock).map_err(io::Error::other)?,
            group: GroupFile::open(group)?,
            spawner: CommandSpawner::new()?,
            null: null_device()?,
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
    fn run(&mut self, job: &Job) -> Result<Ran, NotRun> {
        // A pipe waits for its other end, at most as long as the coordinator waits.
        let input = match &job.input {
            None => None,
            Some(path) => {
                let opened = open_input(Path::new(path), &self.coordinator);
                Some(other_end(opened, || {
                    format!("the input {path:?} cannot be read")
                })?)
            }
        };
        let output = match &job.output {
            Output::Null | Output::Inherit => None,
            Output::File(path) => {
                let opened = open_output(Path::new(path), &self.coordinator);
                Some(other_end(opened, || {
                    format!("the output {path:?} cannot be written")
                })?)
            }
        };
        // A new one for each: a process that an earlier command left behind may still write to that of its own.
        self.errors = memory_file()
            .map_err(|error| NotRun::Machine(format!("stderr cannot be kept: {error}")))?;
        let uncounted = |error| NotRun::Machine(format!("counters cannot be read: {error}"));
        let mut counters = CommandCounters::open(&job.counters).map_err(uncounted)?;
        let failed = |error: io::Error| match missing_folder(job) {
            Some(folder) => {
                NotRun::Machine(format!("the folder {folder:?} cannot be entered: {error}"))
            }
            None => blamed(&error, start_error(job, &error)),
        };
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
            if job.shows_stderr {
                &self.stderr
            } else {
                &self.errors
            },
        ];
        let (clock, group) = (&self.clock, &self.group);
        // In the new process, before it becomes the command: that may end the launcher at once.
        let starting = || {
            let _ = group.note(process::id());
            clock.start().0
        };
        let running = self
            .spawner
            .start(&command, streams, starting)
            .map_err(failed)?;
        self.finish(running, job.timeout_ns)
            .and_then(|ran| {
                self.group.note(0)?;
                keep_length(&self.errors)?;
                Ok(ran)
            })
            .map_err(|error| {
                NotRun::Machine(format!("{:?} cannot be waited for: {error}", job.program))
            })?
            .ok_or_else(|| NotRun::flooded(&job.program))
            .and_then(|ran| {
                let counts = counters.read().map_err(uncounted)?;
                Ok(Ran { counts, ..ran })
            })
    }

    /// Waits for the end of a command; `None` of one that was ended because of its stderr.
    fn finish(
        &mut self,
        running: RunningCommand,
        timeout_ns: Option<u64>,
    ) -> io::Result<Option<Ran>> {
        let (pid, started) = (running.id(), running.started());
        let waited = self.waited(&running, timeout_ns)?;
        if waited != Waited::Ended {
            running.end_group(false);
            running.wait_end(GRACE)?;
            running.end_group(true);
        }
        let clock = &self.clock;
        let (ended, ending, usage) = running.reap(|| clock.stop().0)?;
        if waited == Waited::Flooded {
            return Ok(None);
        }
        let end = End::of(ending, waited == Waited::Late);
        Ok(Some(Ran {
            end,
            pid: pid.into(),
            ticks: ended.saturating_sub(started),
            usage,
            counts: Vec::new(),
            stderr: match end {
                End::Code(0) => Vec::new(),
                _ => self.tail()?,
            },
        }))
    }

    /// Waits until the command ends by itself, or has to be ended.
    fn waited(&self, running: &RunningCommand, timeout_ns: Option<u64>) -> io::Result<Waited> {
        let stopwatch = Stopwatch::start();
        loop {
            let left = timeout_ns.map(|ns| ns.saturating_sub(stopwatch.elapsed_ns()));
            let wait = left.map_or(LOOK, |ns| LOOK.min(Duration::from_nanos(ns)));
            match running.wait(&self.coordinator, Some(wait))? {
                CommandEvent::Ended => return Ok(Waited::Ended),
                // The coordinator sends nothing before it has the answer: it has closed the connection.
                CommandEvent::Other => return Ok(Waited::Late),
                CommandEvent::TimedOut if left == Some(0) => return Ok(Waited::Late),
                CommandEvent::TimedOut if self.errors.metadata()?.len() > MOST_STDERR_BYTES => {
                    return Ok(Waited::Flooded);
                }
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

fn null_device() -> io::Result<File> {
    let device = File::options().read(true).write(true).open("/dev/null");
    device.map_err(|error| io::Error::new(error.kind(), format!("/dev/null: {error}")))
}

/// A file that was opened, or why it was not; the coordinator may have ended meanwhile.
fn other_end(opened: io::Result<Option<File>>, what: impl Fn() -> String) -> Result<File, NotRun> {
    match opened {
        Ok(Some(file)) => Ok(file),
        Ok(None) => Err(NotRun::Interrupted),
        // A file, not the command.
        Err(error) => Err(NotRun::Machine(format!("{}: {error}", what()))),
    }
}

/// Who is to blame for an error: the command, or a machine that is out of something.
fn blamed(error: &io::Error, why: String) -> NotRun {
    /// The numbers of "Too many open files" of the system and of a process on Unix.
    const TOO_MANY_FILES: [Option<i32>; 2] = [Some(23), Some(24)];
    let is_out_of = |error: &io::Error| {
        TOO_MANY_FILES.contains(&error.raw_os_error())
            || matches!(
                error.kind(),
                // `WouldBlock` is too many processes.
                ErrorKind::WouldBlock
                    | ErrorKind::OutOfMemory
                    | ErrorKind::StorageFull
                    | ErrorKind::QuotaExceeded
                    | ErrorKind::ReadOnlyFilesystem
                    | ErrorKind::Unsupported
            )
    };
    if is_out_of(error) {
        NotRun::Machine(why)
    } else {
        NotRun::Failed(why)
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
    format!("{program:?} cannot be started: {error}")
}

/// The folder of a command, if it is none.
fn missing_folder(job: &Job) -> Option<&Path> {
    let folder = job.folder.as_deref().map(Path::new);
    folder.filter(|folder| !folder.is_dir())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_is_out_of_something_is_to_blame() {
        let of = |error: io::Error| blamed(&error, String::new());
        // EAGAIN, ENOMEM, ENFILE, EMFILE, ENOSPC, EROFS.
        for number in [11, 12, 23, 24, 28, 30] {
            let error = io::Error::from_raw_os_error(number);
            assert_eq!(of(error), NotRun::Machine(String::new()), "{number}");
        }
        // ENOENT, E2BIG, ENOEXEC, EACCES, ENOTDIR, EISDIR.
        for number in [2, 7, 8, 13, 20, 21] {
            let error = io::Error::from_raw_os_error(number);
            assert_eq!(of(error), NotRun::Failed(String::new()), "{number}");
        }
    }
}
