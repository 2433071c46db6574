//! The end of the coordinator, of which a queue of the kernel informs a thread.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use crate::sys;

/// Stack of the thread: it makes system calls only.
const STACK: usize = 64 * 1024;

/// Threads that wait for the end of the coordinator.
static WAITING: AtomicU32 = AtomicU32::new(0);

/// Number of threads of this process that wait for the end of the coordinator.
pub(crate) fn waiting_threads() -> u32 {
    WAITING.load(Ordering::Relaxed)
}

/// Kills this process when the coordinator closes its end of the pipe, which the system does however the
/// coordinator ends.
///
/// A thread waits for it: macOS sends no signal for that. An allocator that is quicker in a process of one
/// thread, as that of glibc, does not exist there.
///
/// # Errors
/// If the system has no queue, no descriptor or no thread left.
pub(crate) fn end_with(input: &File) -> io::Result<()> {
    let pipe = input.try_clone()?;
    let queue = queue_for(pipe.as_fd())?;
    let wait = move || {
        if has_closed(&queue) {
            // SAFETY: sends a signal to this process, which runs none of its code.
            unsafe { sys::kill(sys::getpid(), sys::SIGKILL) };
        }
        drop(pipe);
    };
    let thread = thread::Builder::new().stack_size(STACK);
    thread.spawn(wait).map(drop)?;
    WAITING.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// A queue that reports what happens at a pipe.
fn queue_for(pipe: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    // SAFETY: takes nothing and returns a new descriptor or -1.
    let queue = match unsafe { sys::kqueue() } {
        -1 => return Err(io::Error::last_os_error()),
        // SAFETY: a new descriptor that has no other owner.
        new => unsafe { OwnedFd::from_raw_fd(new) },
    };
    let mut change = empty();
    change.ident = pipe.as_raw_fd() as usize;
    change.filter = sys::EVFILT_READ;
    // Each change is reported once: bytes that nothing reads yet must not make this a busy loop.
    change.flags = sys::EV_ADD | sys::EV_CLEAR;
    // SAFETY: one change, which is only read, and no room for events.
    let result = unsafe {
        sys::kevent(
            queue.as_raw_fd(),
            &raw const change,
            1,
            ptr::null_mut(),
            0,
            ptr::null(),
        )
    };
    match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(queue),
    }
}

/// Waits until the other end of the pipe is closed; false if the system cannot wait.
fn has_closed(queue: &OwnedFd) -> bool {
    loop {
        let mut event = empty();
        // SAFETY: no changes, and room for one event, which outlives the call.
        let found = unsafe {
            sys::kevent(
                queue.as_raw_fd(),
                ptr::null(),
                0,
                &raw mut event,
                1,
                ptr::null(),
            )
        };
        let flags = event.flags;
        match found {
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            -1 => return false,
            1.. if flags & sys::EV_EOF != 0 => return true,
            _ => {}
        }
    }
}

fn empty() -> sys::kevent {
    sys::kevent {
        ident: 0,
        filter: 0,
        flags: 0,
        fflags: 0,
        data: 0,
        udata: ptr::null_mut(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_closed_pipe_is_reported_and_bytes_are_not() {
        let (reader, mut writer) = io::pipe().unwrap();
        let queue = queue_for(reader.as_fd()).unwrap();
        let waiting = thread::spawn(move || has_closed(&queue));
        writer.write_all(b"bytes that nothing reads").unwrap();
        assert!(!waiting.is_finished());
        drop(writer);
        assert!(waiting.join().unwrap());
    }
}
