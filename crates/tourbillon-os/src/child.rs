//! A child process: its pipes, its end, its process group.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use crate::pipe::{readable, write_line};
use crate::stderr_file::StderrFile;
use crate::{Ending, Ready, Signals, strays, sys};

/// Interval at which the end of a process is checked where it cannot be polled.
const SLICE: Duration = Duration::from_millis(20);

/// Capacity of a pipe without a reader on every system.
const PIPE_BYTES: usize = 16 * 1024;

/// A child process in a process group of its own, with pipes for its stdin and stdout.
///
/// Dropping it kills the group, and on Linux every process that it started.
#[derive(Debug)]
pub struct Child {
    process: std::process::Child,
    /// Stays open for the child's whole life: the child takes its end for the coordinator's.
    input: File,
    output: File,
    exit: Option<OwnedFd>,
    stderr: Option<StderrFile>,
    ending: Option<Ending>,
    left: u32,
}

impl Child {
    /// A process that has just been started, and this process's ends of its pipes.
    pub(crate) fn new(
        process: std::process::Child,
        input: OwnedFd,
        output: OwnedFd,
        stderr: Option<StderrFile>,
    ) -> Child {
        Child {
            exit: exit_descriptor(process.id()),
            process,
            input: File::from(input),
            output: File::from(output),
            stderr,
            ending: None,
            left: 0,
        }
    }

    /// Process id, which is the id of its initial process group, too.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Writes to the child's stdin, once. It never waits for a child that does not read: a thread
    /// writes more than 16 KiB, and ends when the child has read them or has ended.
    ///
    /// # Errors
    /// If the child has closed its stdin, as far as that is known; or if no thread can be started.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() <= PIPE_BYTES {
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
    /// It may return early with nothing ready.
    ///
    /// # Errors
    /// If the system cannot poll the descriptors.
    pub fn wait_ready(
        &mut self,
        output: bool,
        signals: Option<&Signals>,
        timeout: Duration,
    ) -> io::Result<Ready> {
        let gone = self.poll_end()?;
        let timeout = match (gone, &self.exit) {
            (true, _) => Duration::ZERO,
            (false, Some(_)) => timeout,
            (false, None) => timeout.min(SLICE),
        };
        let watched = [
            output.then(|| self.output.as_fd()),
            self.exit.as_ref().map(AsFd::as_fd),
            signals.map(Signals::descriptor),
        ];
        let [output, exit, signal] = readable(watched, timeout)?;
        Ok(Ready {
            output,
            ended: gone || exit,
            signal,
        })
    }

    /// Reads from the child's stdout; 0 bytes mean that it was closed.
    ///
    /// # Errors
    /// If the system cannot read.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.output.read(buffer)
    }

    /// Kills the process and every other one of its group. Harmless if none is left.
    pub fn kill_group(&self) {
        // Once the child has been waited for, its id may belong to another process.
        if self.ending.is_some() {
            return;
        }
        if let Ok(group) = sys::pid_t::try_from(self.process.id()) {
            // SAFETY: no memory is involved; the child has not been waited for, so its id cannot have
            // been reused.
            unsafe { sys::kill(-group, sys::SIGKILL) };
            // The process itself may have moved to another group.
            // SAFETY: as above.
            unsafe { sys::kill(group, sys::SIGKILL) };
        }
    }

    /// Waits at most `timeout` for the child's end. `None`: it has not ended.
    ///
    /// Processes that remain in its group cannot be killed afterwards: kill first. On Linux all
    /// processes that it started are ended with it.
    ///
    /// # Errors
    /// If the system cannot wait.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<Option<Ending>> {
        let slice = Duration::from_millis(1);
        let mut left = timeout.as_millis();
        loop {
            if let Some(status) = self.process.try_wait()? {
                self.ending = Some(status.into());
                self.left = strays::end_those_of(self.process.id());
            }
            if self.ending.is_some() {
                return Ok(self.ending);
            }
            readable([self.exit.as_ref().map(AsFd::as_fd), None, None], slice)?;
            if left == 0 {
                return Ok(None);
            }
            left -= 1;
        }
    }

    /// Kills every process of the group, and waits at most `timeout` for the child's end.
    pub fn end(&mut self, timeout: Duration) -> Ending {
        self.kill_group();
        // A child that cannot be waited for is left to the system.
        let ending = self.wait(timeout).ok().flatten();
        ending.unwrap_or(Ending::NotSeen)
    }

    /// Number of processes that the child had started, that had left its group, and that were ended with
    /// it. 0 on systems other than Linux.
    pub fn left(&self) -> u32 {
        self.left
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

    /// Whether the child has ended. It is not waited for and stays a zombie, so that its group can
    /// still be killed.
    fn poll_end(&mut self) -> io::Result<bool> {
        match (self.ending, &self.exit) {
            (Some(_), _) => Ok(true),
            // The descriptor becomes readable at the end.
            (None, Some(_)) => Ok(false),
            (None, None) => strays::has_ended(self.process.id()),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.ending.is_none() {
            self.end(Duration::from_secs(1));
        }
    }
}

/// A descriptor that becomes readable when the process ends; `None` on Linux before 5.3 and on other
/// systems.
fn exit_descriptor(pid: u32) -> Option<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::FromRawFd;
        let pid = sys::pid_t::try_from(pid).ok()?;
        // SAFETY: takes two integers and returns a new descriptor or a negative number.
        let descriptor = unsafe { sys::syscall(sys::SYS_pidfd_open, pid, 0) };
        let descriptor = i32::try_from(descriptor).ok().filter(|&new| new >= 0)?;
        // SAFETY: a new descriptor that has no other owner.
        Some(unsafe { OwnedFd::from_raw_fd(descriptor) })
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = pid;
        None
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;
    use crate::strays::has_ended;

    #[test]
    fn a_zombie_is_seen_and_left() {
        let mut child = Command::new("true").spawn().unwrap();
        let exit = exit_descriptor(child.id());
        while !has_ended(child.id()).unwrap() {
            let descriptor = exit.as_ref().map(AsFd::as_fd);
            readable([descriptor, None, None], SLICE).unwrap();
        }
        assert!(has_ended(child.id()).unwrap());
        assert!(child.wait().unwrap().success());
    }

    #[test]
    fn the_living_has_not_ended() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        assert!(!has_ended(child.id()).unwrap());
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success());
    }
}
