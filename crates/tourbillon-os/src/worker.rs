//! The worker's side: its pipes to the coordinator, and both ways to end.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::OnceLock;

use crate::pipe::hung_up;
use crate::signals::act_on;
use crate::{Protocol, sys};

/// Takes the pipes to the coordinator away from stdin and stdout: a worker's first act.
///
/// Afterwards stdin is empty, and output of the benchmark is discarded (or goes to stderr, with
/// `nocapture`), so it cannot disturb the protocol. SIGXFSZ, which the coordinator ignores, gets its
/// default action back: the benchmark finds signals as in any program. On macOS the worker asks for the
/// fast cores.
///
/// # Errors
/// If the null device cannot be opened or a descriptor cannot be created.
pub fn take_protocol(nocapture: bool) -> io::Result<Protocol> {
    act_on(sys::SIGXFSZ, sys::SIG_DFL)?;
    #[cfg(target_os = "macos")]
    crate::macos::worker::prefer_fast_cores();
    #[cfg(not(target_os = "macos"))]
    crate::emulator::remember_threads();
    #[cfg(target_os = "linux")]
    crate::process::remember_threads();
    let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
    // The copies are close-on-exec, and their numbers are above 2.
    let protocol = Protocol {
        input: File::from(stdin.as_fd().try_clone_to_owned()?),
        output: File::from(stdout.as_fd().try_clone_to_owned()?),
    };
    let null = OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")?;
    replace(stdin.as_raw_fd(), null.as_fd())?;
    let shown = if nocapture {
        stderr.as_fd()
    } else {
        null.as_fd()
    };
    replace(stdout.as_raw_fd(), shown)?;
    crate::channels::remember();
    Ok(protocol)
}

/// What stdout and stderr were before a [`silence`], which they are again when this is dropped.
#[derive(Debug)]
pub struct Silenced {
    stdout: OwnedFd,
    stderr: OwnedFd,
}

/// Discards what this process prints.
///
/// # Errors
/// If the null device cannot be opened or a descriptor cannot be created.
pub fn silence() -> io::Result<Silenced> {
    let (stdout, stderr) = (io::stdout(), io::stderr());
    let silenced = Silenced {
        stdout: stdout.as_fd().try_clone_to_owned()?,
        stderr: stderr.as_fd().try_clone_to_owned()?,
    };
    let null = OpenOptions::new().write(true).open("/dev/null")?;
    replace(stdout.as_raw_fd(), null.as_fd())?;
    replace(stderr.as_raw_fd(), null.as_fd())?;
    Ok(silenced)
}

impl Drop for Silenced {
    fn drop(&mut self) {
        // What cannot be given back stays silent.
        let _ = io::stdout().flush();
        let _ = replace(io::stdout().as_raw_fd(), self.stdout.as_fd());
        let _ = replace(io::stderr().as_raw_fd(), self.stderr.as_fd());
    }
}

fn replace(number: RawFd, with: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: both are open. `number` is 0, 1 or 2, which has no owner.
    match unsafe { sys::dup2(with.as_raw_fd(), number) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Makes this process end when its coordinator ends, in whatever way that ends.
///
/// On Linux and macOS it is killed at that moment. Elsewhere the worker has to call [`coordinator_gone`],
/// or fails when it writes its next frame.
///
/// `input` is the pipe from the coordinator, as returned by [`take_protocol`]; it shows whether the
/// coordinator ended before the kernel was asked. Processes that the benchmark forks are not affected:
/// the kernel clears the setting in a fork.
///
/// # Errors
/// If the system refuses, or (kind `BrokenPipe`) if the coordinator has already ended.
pub fn tie_to_coordinator(input: &File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: sets a number in the kernel's description of this process; SIGKILL runs no code of it.
        if unsafe { sys::prctl(sys::PR_SET_PDEATHSIG, sys::SIGKILL) } != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    #[cfg(target_os = "macos")]
    crate::macos::coordinator::end_with(input)?;
    if coordinator_gone(input) {
        let text = "the coordinator is gone";
        return Err(io::Error::new(io::ErrorKind::BrokenPipe, text));
    }
    Ok(())
}

/// Whether the coordinator has ended: it keeps the pipe open while it lives. A system call, to be made
/// between two samples.
pub fn coordinator_gone(input: &File) -> bool {
    hung_up(input.as_fd())
}

/// Calls `last` when this process ends by `exit`, which also follows a return from `main`. If `last`
/// returns a code, the process ends at once with that code; with `None` the end proceeds. It is called
/// on the thread that ends the process, while others still run.
///
/// It is not called when a signal or `_exit` ends the process. Only the first call has an effect.
pub fn at_exit(last: fn() -> Option<u8>) {
    static LAST: OnceLock<fn() -> Option<u8>> = OnceLock::new();
    extern "C" fn call() {
        if let Some(code) = LAST.get().and_then(|last| last()) {
            // SAFETY: ends the process and touches none of its memory.
            unsafe { sys::_exit(i32::from(code)) };
        }
    }
    // Miri has no such call.
    if LAST.set(last).is_ok() && !cfg!(miri) {
        // SAFETY: the function lives as long as the process. If the system has no room for it, the
        // end is not noticed.
        unsafe { sys::atexit(call) };
    }
}

/// Columns of the terminal behind a stream; `None` if it is none or does not report its size.
pub fn terminal_width(stream: &impl AsFd) -> Option<u16> {
    let columns = terminal_size(stream)?.ws_col;
    (columns > 0).then_some(columns)
}

/// Lines of the terminal behind a stream; `None` if it is none or does not report its size.
pub fn terminal_height(stream: &impl AsFd) -> Option<u16> {
    let lines = terminal_size(stream)?.ws_row;
    (lines > 0).then_some(lines)
}

fn terminal_size(stream: &impl AsFd) -> Option<sys::winsize> {
    // Miri knows no requests of terminals.
    if cfg!(miri) {
        return None;
    }
    let mut size = sys::winsize {
        ws_row: 0,
        ws_col: 0,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    // SAFETY: the request writes one winsize to where the pointer points.
    let result = unsafe { sys::ioctl(stream.as_fd().as_raw_fd(), sys::TIOCGWINSZ, &raw mut size) };
    (result == 0).then_some(size)
}

/// Has the terminal behind a stream follow escape sequences, and returns whether it does: all do.
pub fn follow_escapes(_stream: &impl AsFd) -> bool {
    true
}
