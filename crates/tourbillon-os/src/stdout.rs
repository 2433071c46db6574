//! Text on stdout, whose reader may never read it.

use std::fs::File;
use std::io::{self, Write};
use std::sync::OnceLock;

/// Stdout where it is [kept for data](keep_for_data).
static DATA: OnceLock<File> = OnceLock::new();

/// Writes a text to stdout at once. On Unix a signal that is noted ends the wait for a reader that does not read.
///
/// # Errors
/// When it cannot be written; of kind `TimedOut` after a signal, when the rest of the text is dropped, and all later
/// text; of kind `BrokenPipe` where the reader has gone, or the terminal was closed.
pub fn print(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    #[cfg(unix)]
    if let Some(signals) = crate::Signals::installed() {
        use std::os::fd::AsFd;
        stdout.flush()?;
        let to = DATA.get().map_or(stdout.as_fd(), AsFd::as_fd);
        return unix::write(to, text.as_bytes(), signals, unix::LAST_WAIT);
    }
    if let Some(mut data) = DATA.get() {
        return data.write_all(text.as_bytes());
    }
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// From now on stdout has only what [`print()`] writes, and what else is printed goes to stderr: a program that reads a list
/// takes no other line. Nothing changes where the system cannot do that.
pub fn keep_for_data() {
    #[cfg(unix)]
    let kept = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let kept = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
    #[cfg(any(unix, windows))]
    if kept.is_ok_and(|kept| DATA.set(kept.into()).is_ok()) {
        end_data();
    }
}

/// From now on what is printed to stdout goes to stderr: it has had all of its data, and a `main` may go on to print.
/// Nothing changes where the system cannot do that.
pub fn end_data() {
    let _ = io::stdout().flush();
    #[cfg(all(unix, not(miri)))]
    // SAFETY: takes two numbers, whose descriptors have no owner.
    unsafe {
        crate::sys::dup2(2, 1);
    }
    #[cfg(windows)]
    crate::windows::stdout_to_stderr();
}

#[cfg(unix)]
mod unix {
    use std::io::{self, ErrorKind};
    use std::os::fd::{AsRawFd, BorrowedFd};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use crate::{Signals, sys};

    /// How much is written where there is room for some: POSIX's least size for what a pipe takes as a whole.
    const PIECE: usize = 512;
    /// How long a reader may take after a signal.
    pub(super) const LAST_WAIT: Duration = Duration::from_secs(1);

    /// Whether a reader has read nothing after a signal.
    static IS_GIVEN_UP: AtomicBool = AtomicBool::new(false);

    /// Writes bytes; the error is `TimedOut` if there is no room for so long after a signal.
    pub(super) fn write(
        to: BorrowedFd<'_>,
        mut bytes: &[u8],
        signals: Signals,
        last_wait: Duration,
    ) -> io::Result<()> {
        while !bytes.is_empty() {
            if IS_GIVEN_UP.load(Ordering::Relaxed) || !has_room(to, signals, last_wait)? {
                IS_GIVEN_UP.store(true, Ordering::Relaxed);
                return Err(ErrorKind::TimedOut.into());
            }
            let piece = &bytes[..bytes.len().min(PIECE)];
            // SAFETY: as many bytes as the slice has; the descriptor is open.
            let count = unsafe { sys::write(to.as_raw_fd(), piece.as_ptr().cast(), piece.len()) };
            match usize::try_from(count) {
                Ok(count) => bytes = &bytes[count..],
                Err(_) => match io::Error::last_os_error() {
                    error if error.kind() == ErrorKind::Interrupted => {}
                    error if error.kind() == ErrorKind::WouldBlock => {}
                    // Stdout was closed from the start: what is printed goes nowhere, as by the standard library.
                    error if error.raw_os_error() == Some(sys::EBADF) => return Ok(()),
                    error => return Err(error),
                },
            }
        }
        Ok(())
    }

    /// Waits until a piece can be written, or writing fails; false if there is no room long after a signal.
    fn has_room(to: BorrowedFd<'_>, signals: Signals, last_wait: Duration) -> io::Result<bool> {
        loop {
            let is_noted = signals.noted().is_some();
            let entry = |fd: BorrowedFd<'_>, events| sys::pollfd {
                fd: fd.as_raw_fd(),
                events,
                revents: 0,
            };
            let mut entries = [
                entry(to, sys::POLLOUT),
                entry(signals.descriptor(), sys::POLLIN),
            ];
            // Once it is noted, the signal is readable for ever.
            let (count, wait) = if is_noted {
                (1, last_wait.as_millis() as i32)
            } else {
                (2, -1)
            };
            // SAFETY: at most as many entries as the array has, which outlives the call.
            let ready = unsafe { sys::poll(entries.as_mut_ptr(), count, wait) };
            match ready {
                // A terminal that was closed would fail as a broken disk does.
                _ if ready > 0 && entries[0].revents & sys::POLLHUP != 0 => {
                    return Err(ErrorKind::BrokenPipe.into());
                }
                _ if ready > 0 && entries[0].revents != 0 => return Ok(true),
                0 => return Ok(false),
                1.. => {}
                _ => match io::Error::last_os_error() {
                    error if error.kind() == ErrorKind::Interrupted => {}
                    error => return Err(error),
                },
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use std::io::{PipeReader, Read};
        use std::os::fd::{AsFd, FromRawFd, OwnedFd};
        use std::thread;

        use super::*;

        /// A terminal that was closed has no reader.
        fn closed_terminal(signals: Signals) {
            let (mut first, mut second) = (-1, -1);
            let none = std::ptr::null_mut();
            // SAFETY: both numbers outlive the call, and the other arguments may be null.
            let made =
                unsafe { libc::openpty(&mut first, &mut second, none, none.cast(), none.cast()) };
            if made != 0 {
                return;
            }
            // SAFETY: the descriptors are new, and nothing else has them.
            let [screen, terminal] = [first, second].map(|fd| unsafe { OwnedFd::from_raw_fd(fd) });
            let to_terminal = || write(terminal.as_fd(), b"x", signals, Duration::ZERO);
            to_terminal().expect("written");
            drop(screen);
            let error = to_terminal().expect_err("no terminal");
            assert_eq!(error.kind(), ErrorKind::BrokenPipe);
        }

        /// What a reader gets, after a signal or without one. In one test, because signals are those of the process.
        #[test]
        fn a_signal_ends_the_wait_for_a_reader() {
            let signals = Signals::install().expect("handlers");
            closed_terminal(signals);
            let text = vec![b'x'; 1 << 20];
            let read = |mut reader: PipeReader| {
                thread::spawn(move || {
                    let mut all = Vec::new();
                    reader.read_to_end(&mut all).expect("text");
                    all
                })
            };
            let (reader, writer) = io::pipe().expect("a pipe");
            let reader = read(reader);
            write(writer.as_fd(), &text, signals, Duration::ZERO).expect("written");
            drop(writer);
            assert_eq!(reader.join().expect("a reader"), text);
            let (reader, writer) = io::pipe().expect("a pipe");
            drop(reader);
            let error = write(writer.as_fd(), &text, signals, Duration::ZERO);
            let error = error.expect_err("no reader");
            assert_eq!(error.kind(), ErrorKind::BrokenPipe);
            let (reader, writer) = io::pipe().expect("a pipe");
            let waiting = thread::spawn(move || {
                write(writer.as_fd(), &text, signals, Duration::ZERO).map_err(|error| error.kind())
            });
            // SAFETY: calls the handler of the signal in this process.
            unsafe { sys::kill(std::process::id() as sys::pid_t, sys::SIGTERM) };
            let written = waiting.join().expect("it ends");
            assert_eq!(written, Err(ErrorKind::TimedOut));
            drop(reader);
        }
    }
}
