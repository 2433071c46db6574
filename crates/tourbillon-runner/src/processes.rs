use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use tourbillon_os::{Child, Ending, ErrorOutput, Executable, Launcher, Signals};
use tourbillon_record::{Frame, Plan, WORKER_ARGUMENT};

use crate::frame_reader::{FrameReader, position};
use crate::worker_args::NOCAPTURE;
use crate::{Dismissal, Draw, Error, Event, SpawnWorker, Worker};

/// Variable whose length is redrawn for each visit.
const PADDING: &str = "TOURBILLON_PADDING";

/// How long a killed worker may take to end before it is left to the system.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// Most of a worker's stderr that is kept.
const STDERR_BYTES: usize = 4096;

/// Most that a worker may write to its stderr: it is a file, and the disk is not the benchmark's.
const MOST_STDERR_BYTES: u64 = 64 << 20;

/// How often its length is looked at, at least, while a worker is listened to.
const LOOK: Duration = Duration::from_millis(250);

/// Bytes read from a worker at once: what a pipe holds, so that a visit comes in one piece.
const CHUNK: usize = 1 << 16;

/// Workers as processes: the own executable, started again for every visit.
#[derive(Debug)]
pub struct Processes {
    launcher: Launcher,
    signals: Option<Signals>,
}

impl Processes {
    /// Workers from the executable of this process.
    ///
    /// # Errors
    /// When the system cannot say where the executable is.
    pub fn own() -> Result<Processes, Error> {
        match Executable::own() {
            Ok(executable) => Ok(Processes::of(executable)),
            Err(e) => Err(Error::io("the own executable cannot be found", e)),
        }
    }

    /// Workers from an executable.
    pub fn of(executable: Executable) -> Processes {
        let mut launcher = Launcher::new(&executable);
        launcher.argument(WORKER_ARGUMENT);
        Processes {
            launcher,
            signals: None,
        }
    }

    /// Starts workers with these variables besides those of this process.
    #[must_use]
    #[inline]
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
            self.launcher.argument(NOCAPTURE);
            self.launcher.stderr(ErrorOutput::Inherit);
        }
        self
    }

    /// Gives back what is left when this is dropped ([`Launcher::close`]); for who makes many.
    #[inline]
    pub fn close(self) {
        self.launcher.close();
    }
}

impl SpawnWorker for Processes {
    fn spawn(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error> {
        let mut padding = OsString::new();
        for _ in 0..draw.environment_bytes {
            padding.push("x");
        }
        self.launcher.variable(PADDING.as_ref(), &padding);
        let child = match self.launcher.start() {
            Ok(child) => child,
            Err(e) => return Err(Error::io("a worker cannot be started", e)),
        };
        Ok(Box::new(Process {
            child,
            plan: Frame::encode_plan(plan) + "\n",
            signals: self.signals,
            lines: FrameReader::default(),
            chunk: vec![0; CHUNK],
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
    /// The line that it is waiting for.
    plan: String,
    signals: Option<Signals>,
    lines: FrameReader,
    chunk: Vec<u8>,
    /// Whether its output may still bring something.
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
            // What it left behind may hold the pipe open, and would be waited for.
            self.child.kill_group();
        }
        if ready.output {
            let count = self.child.read(&mut self.chunk)?;
            self.open = count > 0;
            self.lines.feed(&self.chunk[..count]);
            return Ok(None);
        }
        if self.ended {
            let ending = self.child.wait(LAST_WAIT)?;
            return Ok(Some(Event::Ended(ending.unwrap_or(Ending::NotSeen))));
        }
        Ok(Some(Event::Silent))
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Process").field(&self.child.id()).finish()
    }
}

impl Worker for Process {
    fn begin(&mut self) -> Result<(), Error> {
        match self.child.write(self.plan.as_bytes()) {
            Ok(()) => Ok(()),
            Err(e) => match Error::io("a worker cannot be given its plan", e) {
                // It is gone already: how it ended says more.
                e if e.is_closed() => Ok(()),
                e => Err(e),
            },
        }
    }

    fn next(&mut self, timeout_ns: u64) -> Event {
        let timeout = Duration::from_nanos(timeout_ns);
        let mut was_read = false;
        loop {
            match self.lines.next_frame() {
                Some(Ok(frame)) => return Event::Frame(frame),
                Some(Err(what)) => return Event::Garbled(what),
                // The rest of a frame is on its way. What comes before the first one may go on for ever.
                None if was_read && !self.lines.greeted() => return Event::Silent,
                None => {}
            }
            match self.listen(timeout) {
                Ok(Some(event)) => return event,
                Ok(None) => was_read = true,
                Err(e) => {
                    let e = Error::io("the worker cannot be listened to", e);
                    return Event::Garbled(e.to_string());
                }
            }
        }
    }

    #[inline(never)]
    fn dismiss(mut self: Box<Self>) -> Dismissal {
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
    let first = match position(tail, 0, b'\n') {
        Some(end) if tail.len() == STDERR_BYTES => end + 1,
        _ => 0,
    };
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
}
