//! Signals that end a run.

use std::ffi::c_int;
use std::io::{self, PipeReader};
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

use crate::sys;

/// The end of the pipe that is polled, or the number of the error.
static READ_END: OnceLock<Result<PipeReader, i32>> = OnceLock::new();
/// The first signal that arrived; 0 for none.
static NOTED: AtomicI32 = AtomicI32::new(0);
/// Whether the first signal ends the process at once.
static ENDS_AT_ONCE: AtomicBool = AtomicBool::new(false);
/// How many programs are waited for that a signal ends.
static WAITING: AtomicU32 = AtomicU32::new(0);
/// The end of the pipe that the handler writes to.
static WRITE_END: AtomicI32 = AtomicI32::new(-1);

/// SIGHUP, SIGINT and SIGTERM as a descriptor to poll. SIGQUIT keeps its action: the end at once, with a dump.
///
/// The first signal is noted and makes [`Signals::descriptor`] readable from then on; the second one
/// ends the process at once with exit code 130, unless it is a SIGHUP: a terminal that is closed sends several.
#[derive(Clone, Copy, Debug)]
pub struct Signals {
    read_end: BorrowedFd<'static>,
}

impl Signals {
    /// Installs the handlers; a second call returns the same. From now on the first signal is noted.
    ///
    /// A signal that this process was started to ignore stays ignored. SIGPIPE and SIGXFSZ become
    /// ignored: writing to a closed pipe, or past the size limit of a file ([`crate::refuse_large_files`]), is an
    /// error to handle. SIGCHLD gets its default action back: if it were ignored, the ending of a child
    /// would be lost.
    ///
    /// # Errors
    /// If no descriptor is left for the pipe, or if a handler cannot be installed.
    pub fn install() -> io::Result<Signals> {
        let code = |e: io::Error| e.raw_os_error().unwrap_or(sys::EINVAL);
        match READ_END.get_or_init(|| install().map_err(code)) {
            Ok(reader) => {
                ENDS_AT_ONCE.store(false, Ordering::Relaxed);
                Ok(Signals {
                    read_end: reader.as_fd(),
                })
            }
            Err(code) => Err(io::Error::from_raw_os_error(*code)),
        }
    }

    /// The handlers, if they have been installed.
    pub fn installed() -> Option<Signals> {
        let reader = READ_END.get()?.as_ref().ok()?;
        Some(Signals {
            read_end: reader.as_fd(),
        })
    }

    /// The number of the first signal that arrived.
    pub fn noted(&self) -> Option<i32> {
        Signals::first()
    }

    /// The same; `None` also where no handlers are installed.
    pub fn first() -> Option<i32> {
        match NOTED.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(signal),
        }
    }

    /// From now on a signal ends the process at once: it has nothing to lose, and may wait for another program.
    pub fn end_at_once() {
        ENDS_AT_ONCE.store(true, Ordering::Relaxed);
    }

    /// Whether a signal ends the process at once, except while it waits for a program.
    pub fn ends_at_once() -> bool {
        ENDS_AT_ONCE.load(Ordering::Relaxed)
    }

    /// Until the guard is dropped, a signal is noted, because another program is waited for that it ends. Where nothing was
    /// installed before, a signal ends this process at once apart from that.
    #[must_use]
    pub fn while_waiting() -> Waiting {
        if Signals::installed().is_none() {
            // Where it cannot be installed, the system's own action ends the process.
            let _ = Signals::install();
            Signals::end_at_once();
        }
        WAITING.fetch_add(1, Ordering::Relaxed);
        Waiting(())
    }

    /// Readable once a signal has been noted.
    pub fn descriptor(&self) -> BorrowedFd<'static> {
        self.read_end
    }
}

/// While it lives, a signal is noted.
#[derive(Debug)]
pub struct Waiting(());

impl Drop for Waiting {
    fn drop(&mut self) {
        WAITING.fetch_sub(1, Ordering::Relaxed);
    }
}

fn install() -> io::Result<PipeReader> {
    let (reader, writer) = io::pipe()?;
    WRITE_END.store(writer.into_raw_fd(), Ordering::Relaxed);
    act_on(sys::SIGPIPE, sys::SIG_IGN)?;
    act_on(sys::SIGXFSZ, sys::SIG_IGN)?;
    act_on(sys::SIGCHLD, sys::SIG_DFL)?;
    let handler: extern "C" fn(c_int) = note;
    for signal in [sys::SIGHUP, sys::SIGINT, sys::SIGTERM] {
        if act_on(signal, sys::SIG_IGN)? != sys::SIG_IGN {
            act_on(signal, handler as usize)?;
        }
    }
    Ok(reader)
}

/// Makes a write past the size limit of files an error, in place of SIGXFSZ, which ends this process. Workers and
/// measured commands get the default action of the signal back ([`crate::take_protocol`]).
pub fn refuse_large_files() {
    // The system refuses no action of a signal that it knows.
    let _ = act_on(sys::SIGXFSZ, sys::SIG_IGN);
}

/// The handler: only calls that are safe in one (atomics, `write`, `_exit`).
extern "C" fn note(signal: c_int) {
    let is_second = NOTED.swap(signal, Ordering::Relaxed) != 0 && signal != sys::SIGHUP;
    let is_waiting = WAITING.load(Ordering::Relaxed) > 0;
    if is_second || ENDS_AT_ONCE.load(Ordering::Relaxed) && !is_waiting {
        // SAFETY: ends the process and runs none of its code.
        unsafe { sys::_exit(130) };
    }
    // The only byte ever written: it fits, so errno does not change.
    // SAFETY: one byte of static memory; the descriptor was stored before the handler was installed and
    // is never closed.
    unsafe { sys::write(WRITE_END.load(Ordering::Relaxed), c"!".as_ptr().cast(), 1) };
}

/// Sets the action of a signal and returns the previous one. Interrupted system calls are restarted,
/// except `poll`.
pub(crate) fn act_on(signal: c_int, action: sys::sighandler_t) -> io::Result<sys::sighandler_t> {
    // SAFETY: the handler is one of the system's or `note`, which does nothing that a handler may not.
    match unsafe { sys::signal(signal, action) } {
        sys::SIG_ERR => Err(io::Error::last_os_error()),
        before => Ok(before),
    }
}
