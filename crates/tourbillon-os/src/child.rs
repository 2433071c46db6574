use std::fs::File;
use std::io::{self, Read};
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use crate::pipe::write_line;
use crate::stderr_file::StderrFile;
use crate::{Ending, Launch, Launcher, Ready, Signals, poll, strays, sys};

/// How long a wait lasts where the end of a process cannot be polled: it is asked for in between.
const SLICE: Duration = Duration::from_millis(20);

/// What a pipe takes without a reader on every system.
const PIPE_BYTES: usize = 16 * 1024;

/// A child process in a process group of its own, with pipes for its stdin and stdout.
///
/// Dropping it kills the group: nothing that it started and left in the group survives. On Linux nothing else
/// that it started does, either.
#[derive(Debug)]
pub struct Child {
    /// Without its pipes it is a number, and there is nothing to drop.
    process: ManuallyDrop<std::process::Child>,
    /// Kept open for the child's whole life: a closed one tells it that its coordinator is gone.
    input: File,
    output: File,
    exit: Option<OwnedFd>,
    stderr: Option<StderrFile>,
    ending: Option<Ending>,
    left: u32,
}

impl Child {
    /// Starts a process; see [`Launcher::start`].
    ///
    /// # Errors
    /// When the process or its temporary file cannot be made.
    // Inline: bench binaries start the same thing again and again, and have a launcher for it.
    #[inline]
    pub fn spawn(launch: Launch<'_>) -> io::Result<Child> {
        let mut launcher = Launcher::new(launch.executable);
        launcher.stderr(launch.stderr);
        for argument in launch.arguments {
            launcher.argument(argument);
        }
        for (name, value) in launch.environment {
            launcher.variable(name, value);
        }
        let child = launcher.start();
        launcher.close();
        child
    }

    /// A process that has just been started, and its ends of the pipes to it.
    pub(crate) fn of(
        process: ManuallyDrop<std::process::Child>,
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

    /// Process id, which is the id of the group that it starts in as well.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Writes to the child's stdin, once. It never waits for a child that does not read: more than 16 KiB
    /// are written by a thread, which ends when the child has read them or is gone.
    ///
    /// # Errors
    /// When the child has closed it, as far as that is known by then; or when there is no thread.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() <= PIPE_BYTES {
            return write_line(&self.input, bytes);
        }
        let (input, bytes) = (self.input.try_clone()?, bytes.to_vec());
        let write = move || {
            // How the child ends says more than that it has not read this.
            let _ = write_line(&input, &bytes);
        };
        std::thread::Builder::new().spawn(write).map(drop)
    }

    /// Waits at most so long for output (if asked for), for the child's end, or for a signal.
    ///
    /// It may return early with nothing ready.
    ///
    /// # Errors
    /// What the system reports about the descriptors.
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
        let [output, exit, signal] = poll::readable(watched, timeout)?;
        Ok(Ready {
            output,
            ended: gone || exit,
            signal,
        })
    }

    /// Reads what the child wrote to its stdout; 0 bytes mean that it was closed.
    ///
    /// # Errors
    /// What the system reports.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.output.read(buffer)
    }

    /// Kills the process and every other one of its group. Harmless when none is left.
    pub fn kill_group(&self) {
        // Once the child has been waited for, its id may belong to somebody else.
        if self.ending.is_some() {
            return;
        }
        if let Ok(group) = sys::pid_t::try_from(self.process.id()) {
            // SAFETY: no memory is involved; the group is that of a child not yet waited for, so
            // its id cannot have been given to anybody else.
            unsafe { sys::kill(-group, sys::SIGKILL) };
            // The process itself may have moved to another group.
            // SAFETY: as above.
            unsafe { sys::kill(group, sys::SIGKILL) };
        }
    }

    /// Waits at most so long for the child's end. `None`: it has not ended.
    ///
    /// Whatever the child left running in its group cannot be killed afterwards: kill first. On Linux, what
    /// it started and left is ended with it.
    ///
    /// # Errors
    /// What the system reports.
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
            poll::readable([self.exit.as_ref().map(AsFd::as_fd), None, None], slice)?;
            if left == 0 {
                return Ok(None);
            }
            left -= 1;
        }
    }

    /// Kills every process of the group, and waits at most so long for the child's end.
    pub fn end(&mut self, timeout: Duration) -> Ending {
        self.kill_group();
        match self.wait(timeout) {
            Ok(Some(ending)) => ending,
            // Nobody could do more about a child that cannot be waited for.
            Ok(None) | Err(_) => Ending::NotSeen,
        }
    }

    /// Processes that it had started, that had left its group, and that were ended with it. Known on Linux,
    /// and 0 elsewhere.
    pub fn left(&self) -> u32 {
        self.left
    }

    /// How many bytes went to its stderr by now; `None` where it was inherited.
    pub fn stderr_bytes(&self) -> Option<u64> {
        let file = self.stderr.as_ref()?;
        Some(file.bytes().unwrap_or(0))
    }

    /// The last bytes that went to its stderr, at most so many; nothing where it was inherited, or
    /// where the temporary file cannot be read.
    pub fn stderr_tail(&self, bytes: usize) -> Vec<u8> {
        if let Some(file) = &self.stderr
            && let Ok(tail) = file.tail(bytes)
        {
            return tail;
        }
        Vec::new()
    }

    /// Whether the child has ended, without waiting for it where that can be helped: it stays
    /// as a zombie, so that its group can still be killed.
    fn poll_end(&mut self) -> io::Result<bool> {
        if self.ending.is_some() {
            return Ok(true);
        }
        if self.exit.is_some() {
            // The descriptor tells.
            return Ok(false);
        }
        has_ended(self.process.id())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.ending.is_none() {
            self.end(Duration::from_secs(1));
        }
    }
}

/// A descriptor that becomes readable when the process ends; `None` where there is no such thing
/// (Linux before 5.3, other systems).
fn exit_descriptor(pid: u32) -> Option<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::FromRawFd;
        let pid = sys::pid_t::try_from(pid).ok()?;
        // SAFETY: takes two integers and returns a new descriptor or a negative number.
        let descriptor = unsafe { sys::syscall(sys::SYS_pidfd_open, pid, 0) };
        let descriptor = i32::try_from(descriptor).ok()?;
        if descriptor < 0 {
            return None;
        }
        // SAFETY: a descriptor that the kernel has just made for us and that nobody else owns.
        Some(unsafe { OwnedFd::from_raw_fd(descriptor) })
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = pid;
        None
    }
}

/// Whether a child has ended; it is left as a zombie.
pub(crate) fn has_ended(pid: u32) -> io::Result<bool> {
    // SAFETY: integers, for which all zeroes are a value.
    let mut seen: sys::siginfo_t = unsafe { std::mem::zeroed() };
    let options = sys::WEXITED | sys::WNOHANG | sys::WNOWAIT;
    // SAFETY: `seen` is a place for one siginfo_t, which outlives the call.
    let result = unsafe { sys::waitid(sys::P_PID, pid, &raw mut seen, options) };
    if result != 0 {
        let e = io::Error::last_os_error();
        return match e.kind() {
            io::ErrorKind::Interrupted => Ok(false),
            _ => Err(e),
        };
    }
    // The signal that the ending of a child is told by; zero when nothing has ended.
    Ok(seen.si_signo != 0)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_zombie_is_seen_and_left() {
        let mut child = Command::new("true").spawn().unwrap();
        let exit = exit_descriptor(child.id());
        while !has_ended(child.id()).unwrap() {
            let descriptor = exit.as_ref().map(AsFd::as_fd);
            poll::readable([descriptor, None, None], SLICE).unwrap();
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
