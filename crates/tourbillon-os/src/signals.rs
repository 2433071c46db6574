use std::io;
use std::os::fd::{BorrowedFd, IntoRawFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

/// The first signal that arrived; 0 for none.
static NOTED: AtomicI32 = AtomicI32::new(0);
/// The end of the pipe that the handler writes to.
static WRITE_END: AtomicI32 = AtomicI32::new(-1);

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
    /// writing to a closed pipe is an error to handle. SIGCHLD gets its default action back,
    /// without which the ending of a child is lost.
    ///
    /// # Errors
    /// When there is no descriptor for the pipe, or a handler cannot be installed.
    pub fn install() -> io::Result<Signals> {
        static INSTALLED: OnceLock<Result<i32, i32>> = OnceLock::new();
        let installed = INSTALLED
            .get_or_init(|| install().map_err(|e| e.raw_os_error().unwrap_or(libc::EINVAL)));
        match *installed {
            Ok(descriptor) => Ok(Signals {
                // SAFETY: the descriptor was taken out of its owner in `install` and is never
                // closed.
                read_end: unsafe { BorrowedFd::borrow_raw(descriptor) },
            }),
            Err(code) => Err(io::Error::from_raw_os_error(code)),
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
    act_on(libc::SIGPIPE, libc::SIG_IGN)?;
    act_on(libc::SIGCHLD, libc::SIG_DFL)?;
    let handler: extern "C" fn(libc::c_int) = note;
    for signal in &[libc::SIGINT, libc::SIGTERM] {
        if !is_ignored(*signal)? {
            act_on(*signal, handler as usize)?;
        }
    }
    Ok(reader.into_raw_fd())
}

/// The handler: only calls that are safe in one (atomics, `write`, `_exit`).
extern "C" fn note(signal: libc::c_int) {
    if NOTED.swap(signal, Ordering::Relaxed) != 0 {
        // SAFETY: ends the process without running anything of it.
        unsafe { libc::_exit(130) };
    }
    // The only byte ever written: it fits, so errno is not touched.
    // SAFETY: one byte that lives for ever; the descriptor was stored before the handler was
    // installed and is never closed.
    unsafe { libc::write(WRITE_END.load(Ordering::Relaxed), c"!".as_ptr().cast(), 1) };
}

fn act_on(signal: libc::c_int, action: libc::sighandler_t) -> io::Result<()> {
    // SAFETY: all zeroes is a valid sigaction; the fields that matter are set below.
    let mut new: libc::sigaction = unsafe { std::mem::zeroed() };
    new.sa_sigaction = action;
    // Calls that the signal hits go on: only `poll` needs to know, and it always does.
    new.sa_flags = libc::SA_RESTART;
    // SAFETY: `new` outlives the call, and its handler is one of the system's or `note`, which
    // does nothing that a handler may not.
    check(unsafe { libc::sigaction(signal, &new, std::ptr::null_mut()) })
}

fn is_ignored(signal: libc::c_int) -> io::Result<bool> {
    // SAFETY: all zeroes is a valid sigaction, and the call overwrites it.
    let mut old: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: `old` outlives the call; nothing is installed.
    check(unsafe { libc::sigaction(signal, std::ptr::null(), &mut old) })?;
    Ok(old.sa_sigaction == libc::SIG_IGN)
}

fn check(result: libc::c_int) -> io::Result<()> {
    match result {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
