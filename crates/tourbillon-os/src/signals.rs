use std::ffi::c_int;
use std::io;
use std::os::fd::{BorrowedFd, IntoRawFd};
use std::sync::Once;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::sys;

/// The first signal that arrived; 0 for none.
static NOTED: AtomicI32 = AtomicI32::new(0);
/// The end of the pipe that the handler writes to.
static WRITE_END: AtomicI32 = AtomicI32::new(-1);
/// The other end of that pipe; or, less than zero, the error with which it could not be had.
static READ_END: AtomicI32 = AtomicI32::new(0);

/// SIGINT and SIGTERM, noted and made something to poll.
///
/// The first one is noted and makes [`Signals::descriptor`] readable for good; the second one ends
/// the process at once with exit code 130.
#[derive(Clone, Copy, Debug)]
pub struct Signals {
    read_end: BorrowedFd<'static>,
}

impl Signals {
    /// Installs the handlers; a second call gives the same.
    ///
    /// A signal that this process was started to ignore stays ignored. SIGPIPE becomes ignored:
    /// writing to a closed pipe is an error to handle. So does SIGXFSZ: writing more to a file than its limit
    /// is one, too; workers get its default action back ([`crate::take_protocol`]). SIGCHLD gets its default action back,
    /// without which the ending of a child is lost.
    ///
    /// # Errors
    /// When there is no descriptor for the pipe, or a handler cannot be installed.
    pub fn install() -> io::Result<Signals> {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(|| {
            let read_end = match install() {
                Ok(descriptor) => descriptor,
                Err(e) => -e.raw_os_error().unwrap_or(sys::EINVAL),
            };
            READ_END.store(read_end, Ordering::Relaxed);
        });
        match READ_END.load(Ordering::Relaxed) {
            error @ ..0 => Err(io::Error::from_raw_os_error(-error)),
            descriptor => Ok(Signals {
                // SAFETY: the descriptor was taken out of its owner in `install` and is never
                // closed.
                read_end: unsafe { BorrowedFd::borrow_raw(descriptor) },
            }),
        }
    }

    /// The number of the first signal that arrived.
    pub fn noted(&self) -> Option<i32> {
        match NOTED.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(signal),
        }
    }

    /// Readable once a signal has been noted.
    pub fn descriptor(&self) -> BorrowedFd<'static> {
        self.read_end
    }
}

fn install() -> io::Result<i32> {
    let (reader, writer) = io::pipe()?;
    WRITE_END.store(writer.into_raw_fd(), Ordering::Relaxed);
    act_on(sys::SIGPIPE, sys::SIG_IGN)?;
    act_on(sys::SIGXFSZ, sys::SIG_IGN)?;
    act_on(sys::SIGCHLD, sys::SIG_DFL)?;
    let handler: extern "C" fn(c_int) = note;
    for signal in &[sys::SIGINT, sys::SIGTERM] {
        if act_on(*signal, sys::SIG_IGN)? != sys::SIG_IGN {
            act_on(*signal, handler as usize)?;
        }
    }
    Ok(reader.into_raw_fd())
}

/// The handler: only calls that are safe in one (atomics, `write`, `_exit`).
extern "C" fn note(signal: c_int) {
    if NOTED.swap(signal, Ordering::Relaxed) != 0 {
        // SAFETY: ends the process without running anything of it.
        unsafe { sys::_exit(130) };
    }
    // The only byte ever written: it fits, so errno is not touched.
    // SAFETY: one byte that lives for ever; the descriptor was stored before the handler was
    // installed and is never closed.
    unsafe { sys::write(WRITE_END.load(Ordering::Relaxed), c"!".as_ptr().cast(), 1) };
}

/// What is done about a signal from now on; gives what was done before. Calls that the signal hits go
/// on: only `poll` needs to know, and it always does.
pub(crate) fn act_on(signal: c_int, action: sys::sighandler_t) -> io::Result<sys::sighandler_t> {
    // SAFETY: the handler is one of the system's or `note`, which does nothing that a handler may
    // not.
    match unsafe { sys::signal(signal, action) } {
        sys::SIG_ERR => Err(io::Error::last_os_error()),
        before => Ok(before),
    }
}
