//! Commands on Linux.

use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_long, c_void};
use std::fs::{self, File};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{self, ExitStatus};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::time::Duration;

use super::{CommandEvent, CommandUsage};
use crate::Ending;
use crate::pipe::readable;
use crate::tie::end_with;

/// Exit code of a process that could not become the command.
const NOT_STARTED: c_int = 127;

/// The longest wait at once.
const LONGEST: Duration = Duration::from_secs(1 << 20);

/// A command that is ready to be started: the process between fork and exec allocates nothing.
#[derive(Debug)]
pub struct PreparedCommand {
    program: CString,
    folder: Option<CString>,
    arguments: Vec<CString>,
    environment: Vec<CString>,
}

impl PreparedCommand {
    /// Prepares the executable `program`, a path, with all of its arguments, the name of the program first, and all
    /// of its variables, each as `NAME=VALUE`.
    ///
    /// # Errors
    /// If a text contains a zero byte.
    pub fn new(
        program: &OsStr,
        arguments: &[OsString],
        environment: &[OsString],
        folder: Option<&OsStr>,
    ) -> io::Result<PreparedCommand> {
        let text = |text: &OsStr| CString::new(text.as_bytes()).map_err(io::Error::other);
        let all = |texts: &[OsString]| {
            let texts = texts.iter().map(|one| text(one));
            texts.collect::<io::Result<Vec<CString>>>()
        };
        Ok(PreparedCommand {
            program: text(program)?,
            folder: folder.map(text).transpose()?,
            arguments: all(arguments)?,
            environment: all(environment)?,
        })
    }
}

/// Pointers to texts, with a null pointer at the end.
fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    let texts = texts.iter().map(|text| text.as_ptr());
    texts.chain([ptr::null()]).collect()
}

/// Bytes of the stack of a process that is about to become a command.
const STACK_BYTES: usize = 1 << 16;

/// What the process of a command writes before it becomes the command.
#[derive(Debug)]
struct Outcome {
    /// The reading of the clock.
    started: AtomicU64,
    /// The error of the call that failed; 0 for none.
    error: AtomicI32,
}

/// Starts commands, each in a process group of its own.
///
/// The process of a command uses the memory of this one until it has become the command, and this process waits for
/// that. What the system reports as the command's peak memory is therefore at least the peak of this process, which
/// [`in_small_copy`] keeps low.
#[derive(Debug)]
pub struct CommandSpawner {
    /// Of 16 bytes each: the address of a stack is a multiple of 16.
    stack: Vec<u128>,
    /// Memory that is shared even where an emulator gives the process of a command a copy of the rest.
    outcome: NonNull<Outcome>,
}

/// What a process needs to become a command.
struct Start<'s, N> {
    command: &'s PreparedCommand,
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    streams: [&'s File; 3],
    now: N,
    outcome: &'s Outcome,
    parent: libc::pid_t,
}

impl CommandSpawner {
    /// A spawner.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn new() -> io::Result<CommandSpawner> {
        // SAFETY: asks for new memory; no memory of this process is involved.
        let outcome = unsafe {
            libc::mmap(
                ptr::null_mut(),
                size_of::<Outcome>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        match NonNull::new(outcome.cast::<Outcome>()) {
            Some(outcome) if outcome.as_ptr().cast() != libc::MAP_FAILED => Ok(CommandSpawner {
                stack: vec![0; STACK_BYTES / size_of::<u128>()],
                outcome,
            }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Starts a command with these files as stdin, stdout and stderr. `now` reads a clock; it is called in the process
    /// of the command, right before this becomes the command, and must neither allocate nor take a lock.
    ///
    /// # Errors
    /// If the process cannot be created, or cannot become the command.
    pub fn start<N: Fn() -> u64>(
        &mut self,
        command: &PreparedCommand,
        streams: [&File; 3],
        now: N,
    ) -> io::Result<RunningCommand> {
        // SAFETY: the memory is zero or was written through this type, and lives as long as this value.
        let outcome = unsafe { self.outcome.as_ref() };
        outcome.error.store(0, Ordering::Relaxed);
        let start = Start {
            command,
            arguments: pointers(&command.arguments),
            environment: pointers(&command.environment),
            streams,
            now,
            outcome,
            parent: process::id().cast_signed(),
        };
        let mut exit: c_int = -1;
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
        // SAFETY: the new process has the stack, whose end is given, for itself, and `start` outlives its use of this
        // memory: this thread continues when it has become the command or ended. It takes no lock, which another
        // thread may hold. The system writes the descriptor to `exit`.
        let pid = unsafe {
            libc::clone(
                become_command::<N>,
                self.stack.as_mut_ptr_range().end.cast(),
                flags,
                (&raw const start).cast_mut().cast(),
                &raw mut exit,
            )
        };
        if pid < 0 {
            return Err(io::Error::last_os_error());
        }
        let reaped = |error: io::Error| match wait4(pid) {
            Ok(_) => Err(error),
            Err(other) => Err(other),
        };
        if exit < 0 {
            // SAFETY: no memory is involved; the process has not been waited for.
            unsafe { libc::kill(pid, libc::SIGKILL) };
            let text = "measuring commands needs Linux 5.2 or later";
            return reaped(io::Error::new(io::ErrorKind::Unsupported, text));
        }
        // SAFETY: a new descriptor that has no other owner.
        let exit = unsafe { OwnedFd::from_raw_fd(exit) };
        match outcome.error.load(Ordering::Relaxed) {
            0 => Ok(RunningCommand {
                pid,
                exit,
                started: outcome.started.load(Ordering::Relaxed),
            }),
            error => reaped(io::Error::from_raw_os_error(error)),
        }
    }
}

impl Drop for CommandSpawner {
    fn drop(&mut self) {
        // SAFETY: the memory was mapped with this size, and only this value refers to it.
        unsafe { libc::munmap(self.outcome.as_ptr().cast(), size_of::<Outcome>()) };
    }
}

/// Turns a process into the command of a [`Start`].
extern "C" fn become_command<N: Fn() -> u64>(start: *mut c_void) -> c_int {
    // SAFETY: the process was given a pointer to this type, which nothing changes meanwhile.
    let start = unsafe { &*start.cast::<Start<'_, N>>() };
    // SAFETY: calls of the system with descriptors, numbers and texts that live; both lists end with a null pointer.
    unsafe {
        let mut done = true;
        for (number, stream) in (0..).zip(start.streams) {
            done = done && libc::dup2(stream.as_raw_fd(), number) >= 0;
        }
        done = done && libc::setpgid(0, 0) == 0;
        // It ends with the process that started it, however that ends; what it starts does not.
        done = done && end_with(start.parent, libc::SIGKILL).is_ok();
        // Rust's runtime and the coordinator ignore them, and programs would inherit that.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        libc::signal(libc::SIGXFSZ, libc::SIG_DFL);
        if let Some(folder) = &start.command.folder {
            done = done && libc::chdir(folder.as_ptr()) == 0;
        }
        if done {
            start
                .outcome
                .started
                .store((start.now)(), Ordering::Relaxed);
            libc::execve(
                start.command.program.as_ptr(),
                start.arguments.as_ptr(),
                start.environment.as_ptr(),
            );
        }
        start
            .outcome
            .error
            .store((*libc::__errno_location()).max(1), Ordering::Relaxed);
        libc::_exit(NOT_STARTED)
    }
}

/// Runs this in a copy of this process, and gives its exit code. The copy has the private pages of this process alone,
/// not those of its files, and its peak memory begins with them.
///
/// It has a session of its own, without a terminal: a command that opens `/dev/tty` gets an error. In that of the user it
/// would be in the background, and its first read would stop it for good. One session for all commands: the system may
/// divide processor time among sessions, and a new one for each command would take time.
///
/// # Errors
/// If this process has more than one thread, or the copy cannot be created.
pub fn in_small_copy(run: impl FnOnce() -> u8) -> io::Result<u8> {
    if fs::read_dir("/proc/self/task")?.count() > 1 {
        return Err(io::Error::other(
            "a process of several threads cannot be copied",
        ));
    }
    let parent = process::id().cast_signed();
    // SAFETY: there is no other thread, which could hold a lock.
    match unsafe { libc::fork() } {
        0 => {
            // With the one around it.
            end_with(parent, libc::SIGKILL)?;
            // SAFETY: no memory is involved. A new process leads no group, so that it can lead a session.
            unsafe { libc::setsid() };
            process::exit(run().into())
        }
        pid if pid < 0 => Err(io::Error::last_os_error()),
        pid => {
            let (status, _) = wait4(pid)?;
            let code = ExitStatus::from_raw(status).code();
            Ok(code
                .and_then(|code| u8::try_from(code).ok())
                .unwrap_or(u8::MAX))
        }
    }
}

/// A command that runs.
#[derive(Debug)]
pub struct RunningCommand {
    pid: libc::pid_t,
    /// Becomes readable when the process ends.
    exit: OwnedFd,
    started: u64,
}

impl RunningCommand {
    /// Process id.
    pub fn id(&self) -> u32 {
        self.pid.unsigned_abs()
    }

    /// The reading of the clock right before the process became the command.
    pub fn started(&self) -> u64 {
        self.started
    }

    /// Waits until the command ends, until `other` can be read or was closed, or for the time. It may return
    /// [`CommandEvent::TimedOut`] early.
    ///
    /// # Errors
    /// If the system cannot poll the descriptors.
    pub fn wait(&self, other: &impl AsFd, timeout: Option<Duration>) -> io::Result<CommandEvent> {
        let watched = [Some(self.exit.as_fd()), Some(other.as_fd()), None];
        let [ended, other, _] = readable(watched, timeout.unwrap_or(LONGEST))?;
        Ok(match (ended, other) {
            (true, _) => CommandEvent::Ended,
            (false, true) => CommandEvent::Other,
            (false, false) => CommandEvent::TimedOut,
        })
    }

    /// Waits until the command ends, at most for the time, and perhaps for less.
    ///
    /// # Errors
    /// If the system cannot poll the descriptor.
    pub fn wait_end(&self, timeout: Duration) -> io::Result<()> {
        readable([Some(self.exit.as_fd()), None, None], timeout).map(drop)
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

    /// Waits for the end of the command; gives the reading of the clock by `now` right after it, how it ended, and what
    /// the system counted.
    ///
    /// # Errors
    /// If the system cannot wait.
    pub fn reap(self, now: impl Fn() -> u64) -> io::Result<(u64, Ending, CommandUsage)> {
        let (status, usage) = wait4(self.pid)?;
        let ended = now();
        let micros = |time: libc::timeval| {
            let micros = time.tv_sec.saturating_mul(1_000_000) + time.tv_usec;
            u64::try_from(micros).unwrap_or(0)
        };
        let count = |count: c_long| u64::try_from(count).unwrap_or(0);
        // SAFETY: signal 0 is not sent; it asks whether the group has processes.
        let left_processes = unsafe { libc::kill(-self.pid, 0) } == 0;
        let usage = CommandUsage {
            user_us: micros(usage.ru_utime),
            kernel_us: micros(usage.ru_stime),
            // In KiB.
            peak_bytes: count(usage.ru_maxrss) << 10,
            minor_faults: count(usage.ru_minflt),
            major_faults: count(usage.ru_majflt),
            voluntary_switches: count(usage.ru_nvcsw),
            involuntary_switches: count(usage.ru_nivcsw),
            left_processes,
        };
        Ok((ended, ExitStatus::from_raw(status).into(), usage))
    }
}

/// Ends the processes of the group that a command leads or led, by its process id; none for 0.
pub fn end_group_of(command: u32) {
    // 1 would be every process.
    if let Ok(group @ 2..) = libc::pid_t::try_from(command) {
        // SAFETY: no memory is involved.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

/// Waits for a process.
fn wait4(pid: libc::pid_t) -> io::Result<(c_int, libc::rusage)> {
    let mut status = 0;
    let mut usage = MaybeUninit::uninit();
    loop {
        // SAFETY: there is room for what the call writes.
        if unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) } == pid {
            // SAFETY: the call succeeded, so it wrote all of it.
            return Ok((status, unsafe { usage.assume_init() }));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}
