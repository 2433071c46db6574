use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

use crate::sys;

/// Waits until one of the descriptors can be read (or has ended, or failed), at most so long.
///
/// A signal that arrives meanwhile ends the wait with nothing ready: the caller asks again, with
/// the time that it has left.
///
/// # Errors
/// What `poll` reports, an interruption excepted.
pub(crate) fn readable(
    watched: [Option<BorrowedFd<'_>>; 3],
    timeout: Duration,
) -> io::Result<[bool; 3]> {
    // A negative descriptor is ignored.
    let unwatched = sys::pollfd {
        fd: -1,
        events: sys::POLLIN,
        revents: 0,
    };
    let mut entries = [unwatched; 3];
    for index in 0..watched.len() {
        if let Some(descriptor) = &watched[index] {
            entries[index].fd = descriptor.as_raw_fd();
        }
    }
    // Rounded up: a wait of less than a millisecond must not become a spin.
    let milliseconds = timeout.as_micros().div_ceil(1000);
    let milliseconds = i32::try_from(milliseconds).unwrap_or(i32::MAX);
    // SAFETY: the pointer and the length are those of an array that outlives the call.
    let found = unsafe {
        sys::poll(
            entries.as_mut_ptr(),
            entries.len() as sys::nfds_t,
            milliseconds,
        )
    };
    if found < 0 {
        let e = io::Error::last_os_error();
        return match e.kind() {
            io::ErrorKind::Interrupted => Ok([false; 3]),
            _ => Err(e),
        };
    }
    let [first, second, third] = entries;
    Ok([first.revents != 0, second.revents != 0, third.revents != 0])
}

/// Whether the other end of a pipe that is read from has been closed.
pub(crate) fn hung_up(descriptor: BorrowedFd<'_>) -> bool {
    let mut entry = sys::pollfd {
        fd: descriptor.as_raw_fd(),
        events: 0,
        revents: 0,
    };
    // SAFETY: one entry, which outlives the call.
    let found = unsafe { sys::poll(&mut entry, 1, 0) };
    found > 0 && entry.revents & sys::POLLHUP != 0
}
