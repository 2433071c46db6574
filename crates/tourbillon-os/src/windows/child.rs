//! A child process: its pipes, its end, its job.

use std::fs::File;
use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::time::Duration;

use windows_sys::Win32::Foundation::{HANDLE, WAIT_FAILED, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{
    GetExitCodeProcess, WaitForMultipleObjects, WaitForSingleObject,
};

use super::call::{milliseconds, succeeded};
use super::counters::add_child;
use super::job::Job;
use super::output::Output;
use super::pipe::PIPE_BYTES;
use super::signals::Signals;
use crate::stderr_file::StderrFile;
use crate::{Ending, Ready, write_line};

/// A child process in a job of its own, with pipes for its stdin and stdout.
///
/// Dropping it kills the job: the child and every process that it started.
#[derive(Debug)]
pub struct Child {
    id: u32,
    process: OwnedHandle,
    job: Job,
    /// Stays open for the child's whole life: the child takes its end for the coordinator's.
    input: File,
    output: Output,
    stderr: Option<StderrFile>,
    ending: Option<Ending>,
}

impl Child {
    /// A process that has just been started, and this process's ends of its pipes.
    pub(crate) fn new(
        (id, process): (u32, OwnedHandle),
        job: Job,
        input: File,
        output: Output,
        stderr: Option<StderrFile>,
    ) -> Child {
        Child {
            id,
            process,
            job,
            input,
            output,
            stderr,
            ending: None,
        }
    }

    /// Process id.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Writes to the child's stdin, once. It never waits for a child that does not read: a thread
    /// writes more than 64 KiB, and ends when the child has read them or has ended.
    ///
    /// # Errors
    /// If the child has closed its stdin, as far as that is known; or if no thread can be started.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() <= PIPE_BYTES as usize {
            return write_line(&self.input, bytes);
        }
        let (input, bytes) = (self.input.try_clone()?, bytes.to_vec());
        let write = move || {
            // The ending of the child explains more than a failed write.
            let _ = write_line(&input, &bytes);
        };
        std::thread::Builder::new().spawn(write).map(drop)
    }

    /// Waits at most `timeout` for output (if `output` is set), for the child's end, or for a signal.
    ///
    /// # Errors
    /// If the system cannot wait.
    pub fn wait_ready(
        &mut self,
        output: bool,
        signals: Option<&Signals>,
        timeout: Duration,
    ) -> io::Result<Ready> {
        let mut can_be_read = false;
        let mut awaited = vec![self.process.as_raw_handle()];
        if output {
            let read = self.output.awaited()?;
            can_be_read = read.is_none();
            awaited.extend(read);
        }
        awaited.extend(signals.map(|signals| signals.event().as_raw_handle()));
        let timeout = if can_be_read { Duration::ZERO } else { timeout };
        // SAFETY: the pointer and the length are those of a vector that outlives the call.
        let waited = unsafe {
            let count = awaited.len() as u32;
            WaitForMultipleObjects(count, awaited.as_ptr(), 0, milliseconds(timeout))
        };
        if waited == WAIT_FAILED {
            return Err(io::Error::last_os_error());
        }
        // First, because what the process wrote until its end must be seen with it.
        let ended = is_set(self.process.as_raw_handle());
        let read = if output { self.output.awaited()? } else { None };
        Ok(Ready {
            output: output && read.is_none_or(is_set),
            ended,
            signal: signals.is_some_and(|signals| is_set(signals.event().as_raw_handle())),
        })
    }

    /// Reads from the child's stdout; 0 bytes mean that it was closed.
    ///
    /// # Errors
    /// If the system cannot read.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.output.read(buffer)
    }

    /// Kills the process and every one that it started. Harmless if none is left.
    pub fn kill_group(&self) {
        self.job.terminate();
    }

    /// Waits at most `timeout` for the child's end. `None`: it has not ended.
    ///
    /// Processes that it started are ended with it.
    ///
    /// # Errors
    /// If the system cannot wait.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<Option<Ending>> {
        if self.ending.is_some() {
            return Ok(self.ending);
        }
        let process = self.process.as_raw_handle();
        // SAFETY: a handle that is open.
        match unsafe { WaitForSingleObject(process, milliseconds(timeout)) } {
            WAIT_OBJECT_0 => {}
            WAIT_FAILED => return Err(io::Error::last_os_error()),
            _ => return Ok(None),
        }
        let mut code = 0;
        // SAFETY: a handle that is open, and a place for the code.
        succeeded(unsafe { GetExitCodeProcess(process, &raw mut code) })?;
        self.ending = Some(Ending::Exited(code.cast_signed()));
        add_child(process);
        self.job.terminate();
        Ok(self.ending)
    }

    /// Kills every process of the job, and waits at most `timeout` for the child's end.
    pub fn end(&mut self, timeout: Duration) -> Ending {
        self.kill_group();
        // A child that cannot be waited for is left to the system.
        let ending = self.wait(timeout).ok().flatten();
        ending.unwrap_or(Ending::NotSeen)
    }

    /// Number of processes that had left its job: always 0, because a job has no way out.
    pub fn left(&self) -> u32 {
        0
    }

    /// Bytes written to its stderr so far; `None` if it was inherited.
    pub fn stderr_bytes(&self) -> Option<u64> {
        let file = self.stderr.as_ref()?;
        Some(file.bytes().unwrap_or(0))
    }

    /// The last bytes of its stderr, at most `bytes`; empty if it was inherited or cannot be read.
    pub fn stderr_tail(&self, bytes: usize) -> Vec<u8> {
        let tail = self.stderr.as_ref().map(|file| file.tail(bytes));
        tail.and_then(Result::ok).unwrap_or_default()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.ending.is_none() {
            self.end(Duration::from_secs(1));
        }
    }
}

/// Whether an event is set, or a process has ended.
fn is_set(handle: HANDLE) -> bool {
    // SAFETY: a handle that is open; the call does not wait.
    unsafe { WaitForSingleObject(handle, 0) == WAIT_OBJECT_0 }
}
