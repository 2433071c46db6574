//! Commands on Unix other than Linux, where a process inherits nothing of the peak memory of its parent.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::{CommandStart, CommandUsage};
use crate::Ending;
use crate::strays::wait_for_end;

/// Bytes of a unit of the peak memory that the system reports.
const PEAK_UNIT: u64 = if cfg!(target_vendor = "apple") {
    1
} else {
    1024
};

/// A command that this process has started.
#[derive(Debug)]
pub struct OwnCommand {
    pid: libc::pid_t,
    started: u64,
    /// The reading of the clock at the end, from the thread that waits for it.
    end: Receiver<u64>,
    ended: Option<u64>,
}

impl OwnCommand {
    /// Starts a command with these files as stdin, stdout and stderr. `now` reads a clock: right before the process is
    /// created, and right after its end. The start of the process is in the difference.
    ///
    /// # Errors
    /// If the process cannot be created.
    pub fn start(
        start: CommandStart<'_>,
        streams: [&File; 3],
        now: impl Fn() -> u64 + Send + 'static,
    ) -> io::Result<OwnCommand> {
        let [input, output, errors] = streams.map(File::try_clone);
        let mut command = Command::new(start.program);
        let (name, arguments) = start
            .arguments
            .split_first()
            .ok_or(io::ErrorKind::InvalidInput)?;
        command
            .arg0(name)
            .args(arguments)
            .env_clear()
            .stdin(input?)
            .stdout(output?)
            .stderr(errors?)
            .process_group(0);
        for variable in start.environment {
            let bytes = variable.as_bytes();
            let end = bytes
                .iter()
                .position(|byte| *byte == b'=')
                .unwrap_or(bytes.len());
            let value = bytes.get(end + 1..).unwrap_or_default();
            command.env(OsStr::from_bytes(&bytes[..end]), OsStr::from_bytes(value));
        }
        if let Some(folder) = start.folder {
            command.current_dir(folder);
        }
        let started = now();
        let id = command.spawn()?.id();
        let pid = libc::pid_t::try_from(id).map_err(io::Error::other)?;
        let (sender, end) = channel();
        let wait = move || {
            if wait_for_end(id).is_ok() {
                let _ = sender.send(now());
            }
        };
        thread::Builder::new().spawn(wait)?;
        Ok(OwnCommand {
            pid,
            started,
            end,
            ended: None,
        })
    }

    /// Process id.
    pub fn id(&self) -> u32 {
        self.pid.unsigned_abs()
    }

    /// The reading of the clock right before the process was created.
    pub fn started(&self) -> u64 {
        self.started
    }

    /// Waits at most for the time; whether the command has ended.
    ///
    /// # Errors
    /// If the system cannot wait.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<bool> {
        if self.ended.is_none() {
            match self.end.recv_timeout(timeout) {
                Ok(now) => self.ended = Some(now),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the system does not tell its end"));
                }
            }
        }
        Ok(self.ended.is_some())
    }

    /// Asks it and every process of its group to end, or ends them at once.
    pub fn end_group(&self, at_once: bool) {
        let signal = if at_once {
            libc::SIGKILL
        } else {
            libc::SIGTERM
        };
        // The command itself may have moved to another group.
        for process in [-self.pid, self.pid] {
            // SAFETY: no memory is involved; the process has not been waited for, so that its id cannot have been
            // reused.
            unsafe { libc::kill(process, signal) };
        }
    }

    /// The reading of the clock at the end of the command, how it ended, and what the system counted. Waits for the end.
    ///
    /// # Errors
    /// If the system cannot wait.
    pub fn reap(mut self) -> io::Result<(u64, Ending, CommandUsage)> {
        while !self.wait(Duration::from_secs(1))? {}
        let (mut status, mut usage) = (0, std::mem::MaybeUninit::uninit());
        // SAFETY: there is room for what the call writes.
        if unsafe { libc::wait4(self.pid, &raw mut status, 0, usage.as_mut_ptr()) } != self.pid {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call succeeded, so it wrote all of it.
        let usage: libc::rusage = unsafe { usage.assume_init() };
        let micros = |time: libc::timeval| {
            let micros = i64::from(time.tv_usec) + time.tv_sec * 1_000_000;
            u64::try_from(micros).unwrap_or(0)
        };
        let count = |count: libc::c_long| u64::try_from(count).unwrap_or(0);
        // SAFETY: signal 0 is not sent; it asks whether the group has processes.
        let left_processes = unsafe { libc::kill(-self.pid, 0) } == 0;
        let usage = CommandUsage {
            user_us: micros(usage.ru_utime),
            kernel_us: micros(usage.ru_stime),
            peak_bytes: count(usage.ru_maxrss) * PEAK_UNIT,
            minor_faults: count(usage.ru_minflt),
            major_faults: count(usage.ru_majflt),
            voluntary_switches: count(usage.ru_nvcsw),
            involuntary_switches: count(usage.ru_nivcsw),
            left_processes,
        };
        let ended = self.ended.unwrap_or(self.started);
        Ok((ended, ExitStatus::from_raw(status).into(), usage))
    }
}
