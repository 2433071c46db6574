//! A worker that is a process.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use tourbillon_os::{Child, Ending, Signals, is_closed};
use tourbillon_record::Frame;

use crate::output::without_backtraces;
use crate::runner::frames::FrameReader;
use crate::runner::worker::{Dismissal, Error, Event, SentLaunch, Worker};

/// How long a killed worker may take to end before it is left to the system.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// Most of a worker's stderr that is kept.
const STDERR_BYTES: usize = 4096;

/// Most of it that is read: a backtrace, which is not kept, has 5 KiB or, of an async runtime, 30.
const READ_BYTES: usize = 1 << 16;

/// Most that a worker may write to its stderr, which is a file on the disk.
const MOST_STDERR_BYTES: u64 = 64 << 20;

/// Longest time between two looks at the length of that file.
const LOOK: Duration = Duration::from_millis(250);

/// Bytes read from a worker at once: what a pipe holds, so that a launch comes in one piece.
const CHUNK: usize = 1 << 16;

/// A process with the plan of its next launch.
pub(crate) struct Assigned {
    pub(crate) process: Rc<RefCell<Process>>,
    /// The line with the plan.
    pub(crate) line: String,
}

impl Worker for Assigned {
    fn begin(&mut self) -> Result<(), Error> {
        let mut process = self.process.borrow_mut();
        process.is_done = false;
        process.send(&self.line)
    }

    fn next(&mut self, timeout_ns: u64) -> Event {
        self.process.borrow_mut().next(timeout_ns)
    }

    fn process(&self) -> Option<u32> {
        Some(self.process.borrow().child.id())
    }

    fn dismiss(self: Box<Self>) -> Dismissal {
        self.process.borrow_mut().dismiss()
    }
}

/// A worker that is a process.
pub(crate) struct Process {
    child: Child,
    signals: Option<Signals>,
    frames: FrameReader,
    chunk: Vec<u8>,
    /// Time to end by itself, once it is done.
    grace: Duration,
    /// Whether it has sent the outcome of its launch.
    is_done: bool,
    /// Whether it reads another plan after a launch.
    is_shared: bool,
    /// Whether it has another launch to make when it is dismissed from one.
    handed_over: bool,
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

impl Process {
    /// A process that has been started. If it `is_shared`, it reads another plan after a launch.
    pub(crate) fn new(
        child: Child,
        signals: Option<Signals>,
        grace: Duration,
        is_shared: bool,
    ) -> Process {
        Process {
            child,
            signals,
            frames: FrameReader::default(),
            chunk: vec![0; CHUNK],
            grace,
            is_done: false,
            is_shared,
            handed_over: false,
            open: true,
            ended: false,
        }
    }

    /// It has another launch to make when it is dismissed from this one.
    pub(crate) fn hand_over(&mut self) {
        self.handed_over = true;
    }

    fn send(&mut self, line: &str) -> Result<(), Error> {
        match self.child.write(line.as_bytes()) {
            Err(cause) if !is_closed(&cause) => Err(Error::io("a plan cannot be sent", &cause)),
            // If the worker is gone already, its end tells more.
            _ => Ok(()),
        }
    }

    fn next(&mut self, timeout_ns: u64) -> Event {
        let timeout = Duration::from_nanos(timeout_ns);
        let mut was_read = false;
        loop {
            match self.frames.next_frame() {
                Some(Ok(Frame::Launch(samples))) => {
                    self.is_done = true;
                    let line = self.frames.take_line();
                    return Event::Launch(SentLaunch { samples, line });
                }
                Some(Ok(frame)) => {
                    self.is_done |= is_outcome(&frame);
                    return Event::Frame(frame);
                }
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

    fn dismiss(&mut self) -> Dismissal {
        if std::mem::take(&mut self.handed_over) {
            return Dismissal {
                stderr: String::new(),
                ending: Ending::NotSeen,
                left_processes: false,
            };
        }
        if self.is_shared && !self.ended {
            // If it is gone already, its end tells more.
            let _ = self.send(&(Frame::Bye.encode() + "\n"));
        }
        if !self.ended && self.is_done && self.grace > Duration::ZERO {
            // An error of the wait is one of the end, too.
            let _ = self
                .child
                .wait_ready(false, self.signals.as_ref(), self.grace);
        }
        let ending = self.child.end(LAST_WAIT);
        let stderr = kept(&self.child.stderr_tail(READ_BYTES));
        Dismissal {
            stderr,
            ending,
            left_processes: self.child.left() > 0,
        }
    }
}

/// Whether nothing comes after a frame other than that of a launch.
fn is_outcome(frame: &Frame) -> bool {
    matches!(
        frame,
        Frame::Rounds(_) | Frame::Memory(_) | Frame::Followed(_) | Frame::Fault(_)
    )
}

/// What is kept of what a worker wrote at last.
fn kept(tail: &[u8]) -> String {
    let read = whole_lines(tail, READ_BYTES);
    let text = without_backtraces(&String::from_utf8_lossy(read));
    let short = text.as_bytes().trim_ascii_end();
    let from = short.len().saturating_sub(STDERR_BYTES);
    String::from_utf8_lossy(whole_lines(&short[from..], STDERR_BYTES)).into_owned()
}

/// A tail of at most so many bytes without a first line that was cut off.
fn whole_lines(tail: &[u8], most: usize) -> &[u8] {
    let end = tail.iter().position(|byte| *byte == b'\n');
    let is_cut_off = tail.len() == most;
    let first = end.filter(|_| is_cut_off).map_or(0, |end| end + 1);
    &tail[first..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_begins_with_a_whole_line() {
        assert_eq!(kept(b"one\ntwo\n"), "one\ntwo");
        assert_eq!(kept(b""), "");
        for length in [STDERR_BYTES, READ_BYTES] {
            let mut long = vec![b'x'; length - 5];
            long.extend_from_slice(b"\nlast");
            assert_eq!(kept(&long), "last");
        }
        assert_eq!(kept(&[0xff; 2]), "\u{fffd}\u{fffd}");
        assert_eq!(kept(&[b'y'; READ_BYTES]).len(), STDERR_BYTES);
    }

    #[test]
    fn a_backtrace_does_not_push_the_reason_out() {
        let frame = "   1: std::sys::backtrace::lock\n             at /rustc/backtrace.rs:1:1\n";
        let backtrace = frame.repeat(300);
        let printed = format!("memory allocation of 9 bytes failed\nstack backtrace:\n{backtrace}");
        assert_eq!(
            kept(printed.as_bytes()),
            "memory allocation of 9 bytes failed"
        );
    }
}
