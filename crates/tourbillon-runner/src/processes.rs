//! Workers as processes.

use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use tourbillon_os::{Child, Ending, ErrorOutput, Executable, Launcher, Signals, is_closed};
use tourbillon_record::{Frame, Plan, WORKER_ARGUMENT};

use crate::frames::FrameReader;
use crate::worker::{Dismissal, Draw, Error, Event, SpawnWorker, Worker};

/// Second argument of a worker whose benchmark may print.
const NOCAPTURE: &str = "--nocapture";

/// Variable whose length is drawn anew for each launch.
const PADDING: &str = "TOURBILLON_PADDING";

/// How long a killed worker may take to end before it is left to the system.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// Most of a worker's stderr that is kept.
const STDERR_BYTES: usize = 4096;

/// Most that a worker may write to its stderr, which is a file on the disk.
const MOST_STDERR_BYTES: u64 = 64 << 20;

/// Longest time between two looks at the length of that file.
const LOOK: Duration = Duration::from_millis(250);

/// Bytes read from a worker at once: what a pipe holds, so that a launch comes in one piece.
const CHUNK: usize = 1 << 16;

/// The arguments of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerArgs {
    /// Whether what the benchmark prints is shown, on stderr.
    pub nocapture: bool,
}

impl WorkerArgs {
    /// Reads the arguments of a process, without the name of the program; `None` when they do not make it a
    /// worker.
    pub fn read(arguments: &[OsString]) -> Option<WorkerArgs> {
        let (first, rest) = arguments.split_first()?;
        let nocapture = rest.first().is_some_and(|second| second == NOCAPTURE);
        (first == WORKER_ARGUMENT).then_some(WorkerArgs { nocapture })
    }
}

/// Workers as processes: an executable, started again for every launch.
#[derive(Debug)]
pub struct Processes {
    launcher: Launcher,
    signals: Option<Signals>,
    role: Option<Role>,
    grace: Duration,
}

/// A variable that makes a process a worker, and its value for a plan.
struct Role {
    variable: OsString,
    value: Box<dyn Fn(&Plan) -> OsString>,
}

impl fmt::Debug for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.variable.fmt(f)
    }
}

impl Processes {
    /// Workers from the executable of this process.
    ///
    /// # Errors
    /// When the system does not know its path.
    pub fn own() -> Result<Processes, Error> {
        let executable = Executable::own()
            .map_err(|cause| Error::io("the path of this executable is unknown", &cause))?;
        Ok(Processes::of(executable))
    }

    /// Workers from an executable.
    pub fn of(executable: Executable) -> Processes {
        let mut launcher = Launcher::new(&executable);
        launcher.argument(WORKER_ARGUMENT);
        Processes::new(launcher)
    }

    /// Workers from the executable of this process, with its arguments: a variable of the environment makes
    /// them workers, whose value depends on the plan.
    ///
    /// # Errors
    /// When the system does not know the path of the executable.
    pub fn by_environment(
        variable: OsString,
        value: impl Fn(&Plan) -> OsString + 'static,
    ) -> Result<Processes, Error> {
        let executable = Executable::own()
            .map_err(|cause| Error::io("the path of this executable is unknown", &cause))?;
        let mut launcher = Launcher::new(&executable);
        for argument in std::env::args_os().skip(1) {
            launcher.argument(argument);
        }
        let mut processes = Processes::new(launcher);
        processes.role = Some(Role {
            variable,
            value: Box::new(value),
        });
        Ok(processes)
    }

    fn new(launcher: Launcher) -> Processes {
        Processes {
            launcher,
            signals: None,
            role: None,
            grace: Duration::ZERO,
        }
    }

    /// Lets a worker that has sent its samples end by itself within this time before it is killed.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Processes {
        self.grace = grace;
        self
    }

    /// Starts workers with these variables in addition to those of this process.
    #[must_use]
    pub fn environment(mut self, environment: Vec<(OsString, OsString)>) -> Processes {
        for (name, value) in &environment {
            self.launcher.variable(name, value);
        }
        self
    }

    /// Stops at a signal.
    #[must_use]
    pub fn signals(mut self, signals: Signals) -> Processes {
        self.signals = Some(signals);
        self
    }

    /// Shows what benchmarks print, on stderr.
    #[must_use]
    pub fn nocapture(mut self, nocapture: bool) -> Processes {
        if nocapture {
            if self.role.is_none() {
                self.launcher.argument(NOCAPTURE);
            }
            self.launcher.stderr(ErrorOutput::Inherit);
        }
        self
    }
}

impl SpawnWorker for Processes {
    fn spawn(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error> {
        let padding = "x".repeat(draw.environment_bytes as usize);
        self.launcher.variable(PADDING.as_ref(), padding.as_ref());
        if let Some(role) = &self.role {
            self.launcher.variable(&role.variable, &(role.value)(plan));
        }
        let child = self.launcher.start();
        let child = child.map_err(|cause| Error::io("a worker cannot be started", &cause))?;
        Ok(Box::new(Process {
            child,
            plan: Frame::encode_plan(plan) + "\n",
            signals: self.signals,
            frames: FrameReader::default(),
            chunk: vec![0; CHUNK],
            grace: self.grace,
            open: true,
            ended: false,
        }))
    }

    fn interrupted(&self) -> bool {
        self.signals
            .is_some_and(|signals| signals.noted().is_some())
    }
}

/// A worker that is a process.
struct Process {
    child: Child,
    /// The line with the plan.
    plan: String,
    signals: Option<Signals>,
    frames: FrameReader,
    chunk: Vec<u8>,
    /// Time to end by itself.
    grace: Duration,
    /// Whether its output is still open.
    open: bool,
    /// Whether it has ended.
    ended: bool,
}

impl Process {
    /// Waits for something to happen; `None` when something was read.
    fn listen(&mut self, timeout: Duration) -> std::io::Result<Option<Event>> {
        let mut timeout = if self.ended { Duration::ZERO } else { timeout };
        if let Some(bytes) = self.child.stderr_bytes() {
            if bytes > MOST_STDERR_BYTES {
                let text =
                    "it wrote more than 64 MiB to stderr; print less, or run it with --nocapture";
                return Ok(Some(Event::Garbled(text.to_owned())));
            }
            timeout = timeout.min(LOOK);
        }
        let ready = self
            .child
            .wait_ready(self.open, self.signals.as_ref(), timeout)?;
        if ready.signal {
            return Ok(Some(Event::Interrupted));
        }
        if ready.ended && !self.ended {
            self.ended = true;
            // A process that it left behind may hold the pipe open, and would be waited for.
            self.child.kill_group();
        }
        if ready.output {
            let count = self.child.read(&mut self.chunk)?;
            self.open = count > 0;
            self.frames.feed(&self.chunk[..count]);
            return Ok(None);
        }
        if self.ended {
            let ending = self.child.wait(LAST_WAIT)?;
            return Ok(Some(Event::Ended(ending.unwrap_or(Ending::NotSeen))));
        }
        Ok(Some(Event::Silent))
    }
}

impl Worker for Process {
    fn begin(&mut self) -> Result<(), Error> {
        match self.child.write(self.plan.as_bytes()) {
            Err(cause) if !is_closed(&cause) => Err(Error::io("a plan cannot be sent", &cause)),
            // If the worker is gone already, its end explains more.
            _ => Ok(()),
        }
    }

    fn next(&mut self, timeout_ns: u64) -> Event {
        let timeout = Duration::from_nanos(timeout_ns);
        let mut was_read = false;
        loop {
            match self.frames.next_frame() {
                Some(Ok(frame)) => return Event::Frame(frame),
                Some(Err(what)) => return Event::Garbled(what),
                // The rest of a frame is on its way. Output before the first one may never end.
                None if was_read && !self.frames.greeted => return Event::Silent,
                None => {}
            }
            match self.listen(timeout) {
                Ok(Some(event)) => return event,
                Ok(None) => was_read = true,
                Err(cause) => {
                    let error = Error::io("the worker cannot be read from", &cause);
                    return Event::Garbled(error.to_string());
                }
            }
        }
    }

    fn dismiss(mut self: Box<Self>) -> Dismissal {
        if !self.ended && self.grace > Duration::ZERO {
            // An error of the wait is one of the end, too.
            let _ = self
                .child
                .wait_ready(false, self.signals.as_ref(), self.grace);
        }
        let ending = self.child.end(LAST_WAIT);
        let stderr = whole_lines(&self.child.stderr_tail(STDERR_BYTES));
        Dismissal {
            stderr,
            ending,
            left_processes: self.child.left() > 0,
        }
    }
}

/// The text of a tail, without a first line that was cut off.
fn whole_lines(tail: &[u8]) -> String {
    let end = tail.iter().position(|byte| *byte == b'\n');
    let is_cut_off = tail.len() == STDERR_BYTES;
    let first = end.filter(|_| is_cut_off).map_or(0, |end| end + 1);
    String::from_utf8_lossy(tail[first..].trim_ascii_end()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_begins_with_a_whole_line() {
        assert_eq!(whole_lines(b"one\ntwo\n"), "one\ntwo");
        assert_eq!(whole_lines(b""), "");
        let mut long = vec![b'x'; STDERR_BYTES - 5];
        long.extend_from_slice(b"\nlast");
        assert_eq!(whole_lines(&long), "last");
        assert_eq!(whole_lines(&[0xff; 2]), "\u{fffd}\u{fffd}");
        assert_eq!(whole_lines(&[b'y'; STDERR_BYTES]).len(), STDERR_BYTES);
    }

    #[test]
    fn a_worker_reads_the_arguments_of_its_coordinator() {
        for (arguments, nocapture) in [
            (&[WORKER_ARGUMENT][..], false),
            (&[WORKER_ARGUMENT, NOCAPTURE], true),
        ] {
            let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
            assert_eq!(WorkerArgs::read(&arguments), Some(WorkerArgs { nocapture }));
        }
    }

    #[test]
    fn only_the_first_argument_makes_a_worker() {
        let read = |arguments: &[&str]| {
            let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
            WorkerArgs::read(&arguments)
        };
        assert_eq!(read(&[]), None);
        assert_eq!(read(&["--bench", WORKER_ARGUMENT]), None);
        assert_eq!(read(&["--tourbillon-workers"]), None);
    }
}
