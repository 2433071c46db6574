//! Commands on Windows: each in a job of its own, which counts for all of its processes.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::time::Duration;

use windows_sys::Win32::Foundation::{FILETIME, WAIT_FAILED, WAIT_OBJECT_0};
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::{
    GetExitCodeProcess, GetProcessTimes, WaitForSingleObject,
};

use super::call::{milliseconds, succeeded, with_end};
use super::job::Job;
use super::launcher::Created;
use super::pipe::inheritable;
use crate::Ending;
use crate::command::{CommandStart, CommandUsage};
use crate::command_line::{command_line, environment_block};

/// A command that this process has started.
pub struct OwnCommand {
    id: u32,
    process: OwnedHandle,
    job: Job,
    now: Box<dyn Fn() -> u64>,
    started: u64,
    ended: Option<u64>,
}

impl OwnCommand {
    /// Starts a command with these files as stdin, stdout and stderr. `now` reads a clock: right before the process
    /// begins, and right after its end was seen.
    ///
    /// # Errors
    /// If the process cannot be created.
    pub fn start(
        start: CommandStart<'_>,
        streams: [&File; 3],
        now: impl Fn() -> u64 + Send + 'static,
    ) -> io::Result<OwnCommand> {
        let [input, output, errors] = streams.map(|stream| inheritable(stream.as_raw_handle()));
        let streams = [input?, output?, errors?];
        let mut line = line(start.arguments)?;
        line.push(0);
        let environment = environment(start.environment);
        let job = Job::new()?;
        let created = Created::new(
            start.program,
            line,
            &environment,
            start.folder,
            &job,
            &streams,
        )?;
        let started = now();
        created.resume()?;
        Ok(OwnCommand {
            id: created.id,
            process: created.process,
            job,
            now: Box::new(now),
            started,
            ended: None,
        })
    }

    /// Process id.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The reading of the clock right before the process began.
    pub fn started(&self) -> u64 {
        self.started
    }

    /// Waits at most for the time; whether the command has ended.
    ///
    /// # Errors
    /// If the system cannot wait.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<bool> {
        if self.ended.is_none() {
            // SAFETY: a handle that is open, and a number.
            match unsafe {
                WaitForSingleObject(self.process.as_raw_handle(), milliseconds(timeout))
            } {
                WAIT_OBJECT_0 => self.ended = Some((self.now)()),
                WAIT_FAILED => return Err(io::Error::last_os_error()),
                _ => {}
            }
        }
        Ok(self.ended.is_some())
    }

    /// Ends the command and what it has started; Windows has no request to end.
    pub fn end_group(&self, _at_once: bool) {
        self.job.terminate();
    }

    /// The reading of the clock when the end of the command was seen, how it ended, and what the system counted. Waits
    /// for the end.
    /// What the command has left behind ends with it.
    ///
    /// # Errors
    /// If the system cannot wait, or does not tell.
    pub fn reap(mut self) -> io::Result<(u64, Ending, CommandUsage)> {
        while !self.wait(Duration::from_secs(1))? {}
        let process = self.process.as_raw_handle();
        let mut code = 0;
        // SAFETY: there is room for what the call writes.
        succeeded(unsafe { GetExitCodeProcess(process, &raw mut code) })?;
        let [mut begun, mut ended, mut kernel, mut user] = [FILETIME::default(); 4];
        // SAFETY: as above.
        succeeded(unsafe {
            GetProcessTimes(
                process,
                &raw mut begun,
                &raw mut ended,
                &raw mut kernel,
                &raw mut user,
            )
        })?;
        let mut memory = PROCESS_MEMORY_COUNTERS::default();
        let size = size_of_val(&memory) as u32;
        // SAFETY: the size is that of the structure, which there is room for.
        succeeded(unsafe { K32GetProcessMemoryInfo(process, &raw mut memory, size) })?;
        let counts = self.job.counts()?;
        // In units of 100 ns. Of the job, or of the process where the system has no sum.
        let micros = |of_job: i64, of_process: FILETIME| {
            let own =
                u64::from(of_process.dwHighDateTime) << 32 | u64::from(of_process.dwLowDateTime);
            u64::try_from(of_job).unwrap_or(0).max(own) / 10
        };
        let usage = CommandUsage {
            user_us: micros(counts.TotalUserTime, user),
            kernel_us: micros(counts.TotalKernelTime, kernel),
            peak_bytes: memory.PeakWorkingSetSize as u64,
            // Windows does not tell which of them read from a file.
            minor_faults: counts.TotalPageFaultCount.max(memory.PageFaultCount).into(),
            major_faults: 0,
            voluntary_switches: 0,
            involuntary_switches: 0,
            left_processes: counts.ActiveProcesses > 0,
        };
        let ended = self.ended.unwrap_or(self.started);
        Ok((ended, Ending::Exited(code.cast_signed()), usage))
    }
}

/// The command line of a program with its arguments.
fn line(arguments: &[OsString]) -> io::Result<Vec<u16>> {
    let text = |text: &OsString| {
        let mut units = with_end(text)?;
        units.pop();
        Ok(units)
    };
    let mut all = arguments
        .iter()
        .map(text)
        .collect::<io::Result<Vec<Vec<u16>>>>()?;
    if all.is_empty() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let program = all.remove(0);
    Ok(command_line(&program, &all))
}

/// Variables, each as `NAME=VALUE`. Names of the system's own begin with `=`.
fn environment(variables: &[OsString]) -> Vec<u16> {
    environment_block(variables.iter().map(|variable| {
        let units: Vec<u16> = OsStr::encode_wide(variable).collect();
        let is_end = |(at, unit): (usize, &u16)| at > 0 && *unit == u16::from(b'=');
        let end = units
            .iter()
            .enumerate()
            .position(is_end)
            .unwrap_or(units.len());
        let value = units.get(end + 1..).unwrap_or_default().to_vec();
        (units[..end].to_vec(), value)
    }))
}

impl std::fmt::Debug for OwnCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OwnCommand")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
