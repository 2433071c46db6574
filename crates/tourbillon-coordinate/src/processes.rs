use std::ffi::OsString;
use std::time::Duration;

use tourbillon_os::{Child, Ending, ErrorOutput, Executable, Launch, Signals};
use tourbillon_record::{Frame, Plan};

use crate::lines::Lines;
use crate::{Dismissal, Draw, Error, Event, Hire, Summons, Worker};

/// Variable whose length is redrawn for each visit.
const PADDING: &str = "TOURBILLON_PADDING";

/// How long a killed worker may take to end before it is left to the system.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// Most of a worker's stderr that is kept.
const STDERR_BYTES: usize = 4096;

/// Workers as processes: the own executable, started again for every visit.
#[derive(Debug)]
pub struct Processes {
    executable: Executable,
    signals: Option<Signals>,
    summons: Summons,
}

impl Processes {
    /// Workers from the executable of this process.
    ///
    /// # Errors
    /// When the system cannot say where the executable is.
    pub fn own() -> Result<Processes, Error> {
        let executable =
            Executable::own().map_err(|e| Error::io("the own executable cannot be found", e))?;
        Ok(Processes::of(executable))
    }

    /// Workers from an executable.
    pub fn of(executable: Executable) -> Processes {
        Processes {
            executable,
            signals: None,
            summons: Summons::default(),
        }
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
        self.summons.nocapture = nocapture;
        self
    }
}

impl Hire for Processes {
    fn hire(&mut self, plan: &Plan, draw: &Draw) -> Result<Box<dyn Worker>, Error> {
        let padding = "x".repeat(draw.environment_bytes as usize);
        let launch = Launch {
            executable: &self.executable,
            arguments: self.summons.arguments(),
            environment: vec![(OsString::from(PADDING), OsString::from(padding))],
            stderr: match self.summons.nocapture {
                true => ErrorOutput::Inherit,
                false => ErrorOutput::File,
            },
        };
        let mut child =
            Child::spawn(launch).map_err(|e| Error::io("a worker cannot be started", e))?;
        let mut line = Frame::Plan(plan.clone()).encode();
        line.push('\n');
        match child
            .write(line.as_bytes())
            .map_err(|e| Error::io("a worker cannot be given its plan", e))
        {
            // A worker that is gone already: how it ended says more.
            Err(e) if !e.is_closed() => return Err(e),
            _ => {}
        }
        Ok(Box::new(Process {
            child,
            signals: self.signals,
            lines: Lines::default(),
            chunk: vec![0; 1 << 16],
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
#[derive(Debug)]
struct Process {
    child: Child,
    signals: Option<Signals>,
    lines: Lines,
    chunk: Vec<u8>,
    /// Whether its output may still bring something.
    open: bool,
    /// Whether it has ended.
    ended: bool,
}

impl Process {
    fn listen(&mut self, timeout: Duration) -> std::io::Result<Event> {
        let timeout = if self.ended { Duration::ZERO } else { timeout };
        let ready = self
            .child
            .wait_ready(self.open, self.signals.as_ref(), timeout)?;
        if ready.signal {
            return Ok(Event::Interrupted);
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
            // Whether there is a frame in it is for the next call; time has passed.
            return Ok(Event::Silent);
        }
        if self.ended {
            let ending = self.child.wait(LAST_WAIT)?;
            return Ok(Event::Ended(ending.unwrap_or(Ending::NotSeen)));
        }
        Ok(Event::Silent)
    }
}

impl Worker for Process {
    fn next(&mut self, timeout_ns: u64) -> Event {
        match self.lines.next_frame() {
            Some(Ok(frame)) => return Event::Frame(frame),
            Some(Err(what)) => return Event::Garbled(what),
            None => {}
        }
        self.listen(Duration::from_nanos(timeout_ns))
            .unwrap_or_else(|e| Event::Garbled(format!("the worker cannot be listened to: {e}")))
    }

    fn dismiss(mut self: Box<Self>) -> Dismissal {
        self.child.kill_group();
        let ending = self.child.wait(LAST_WAIT).ok().flatten();
        let stderr = self.child.stderr_tail(STDERR_BYTES).unwrap_or_default();
        Dismissal {
            stderr: whole_lines(&stderr),
            ending: ending.unwrap_or(Ending::NotSeen),
        }
    }
}

/// The text of a tail, without a first line that was cut off.
fn whole_lines(tail: &[u8]) -> String {
    let first = match tail.len() {
        STDERR_BYTES => tail
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1),
        _ => 0,
    };
    String::from_utf8_lossy(&tail[first..])
        .trim_end()
        .to_owned()
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
