//! Pipes and other descriptors: lines, readiness, and whether the other end is closed.

use std::fs::File;
#[cfg(unix)]
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
#[cfg(unix)]
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use crate::sys;

/// Writes all bytes.
///
/// # Errors
/// If the system cannot write, or if the other end is closed ([`is_closed`]).
pub fn write_line(mut output: &File, bytes: &[u8]) -> io::Result<()> {
    output.write_all(bytes)
}

/// Reads a line, or more than `longest` bytes without the end of one. The sender must not write after
/// its line before it has an answer.
///
/// # Errors
/// If the system cannot read, or if the other end is closed ([`is_closed`]).
pub fn read_line(mut input: &File, longest: usize) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let mut chunk = [0; 1024];
    while !line.ends_with(b"\n") && line.len() <= longest {
        match input.read(&mut chunk) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => line.extend_from_slice(&chunk[..count]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(line)
}

/// Whether an error means that the other end of a pipe is closed.
pub fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::UnexpectedEof
    )
}

/// Waits at most `timeout` until one of the descriptors can be read, has ended, or has failed.
///
/// A signal ends the wait with nothing ready: the caller waits again for the time that remains.
///
/// # Errors
/// If `poll` fails other than by an interruption.
#[cfg(unix)]
pub(crate) fn readable(
    watched: [Option<BorrowedFd<'_>>; 3],
    timeout: Duration,
) -> io::Result<[bool; 3]> {
    let mut entries = watched.map(|descriptor| sys::pollfd {
        // A negative descriptor is ignored.
        fd: descriptor.map_or(-1, |descriptor| descriptor.as_raw_fd()),
        events: sys::POLLIN,
        revents: 0,
    });
    // Rounded up: a wait of less than a millisecond must not become a busy loop.
    let milliseconds = timeout.as_micros().div_ceil(1000);
    let milliseconds = i32::try_from(milliseconds).unwrap_or(i32::MAX);
    let count = entries.len() as sys::nfds_t;
    // SAFETY: the pointer and the length are those of an array that outlives the call.
    if unsafe { sys::poll(entries.as_mut_ptr(), count, milliseconds) } < 0 {
        let e = io::Error::last_os_error();
        return match e.kind() {
            io::ErrorKind::Interrupted => Ok([false; 3]),
            _ => Err(e),
        };
    }
    Ok(entries.map(|entry| entry.revents != 0))
}

/// Whether the write end of a pipe that is read from has been closed.
#[cfg(unix)]
pub(crate) fn hung_up(descriptor: BorrowedFd<'_>) -> bool {
    let mut entry = sys::pollfd {
        fd: descriptor.as_raw_fd(),
        // Linux reports it always, macOS only where it is asked for.
        events: sys::POLLHUP,
        revents: 0,
    };
    // SAFETY: one entry, which outlives the call.
    let found = unsafe { sys::poll(&mut entry, 1, 0) };
    found > 0 && entry.revents & sys::POLLHUP != 0
}

/// A pipe that processes inherit that are started while it lives, under a path.
///
/// Every process that another thread starts meanwhile inherits it, too.
#[cfg(unix)]
#[derive(Debug)]
pub struct InheritedPipe(OwnedFd);

#[cfg(unix)]
impl InheritedPipe {
    /// A copy of an end of a pipe to be inherited.
    ///
    /// # Errors
    /// If this process has too many descriptors.
    pub fn new(pipe: impl AsFd) -> io::Result<InheritedPipe> {
        let descriptor = pipe.as_fd();
        // SAFETY: it is open, because it is borrowed.
        match unsafe { sys::dup(descriptor.as_raw_fd()) } {
            -1 => Err(io::Error::last_os_error()),
            // SAFETY: a new descriptor that has no other owner.
            copy => Ok(InheritedPipe(unsafe { OwnedFd::from_raw_fd(copy) })),
        }
    }

    /// The path under which a process that has inherited it can open it.
    pub fn path(&self) -> String {
        format!("/dev/fd/{}", self.0.as_raw_fd())
    }
}

/// Opens a pipe that this process has inherited, by its [`path`](InheritedPipe::path).
///
/// # Errors
/// If there is no such pipe.
#[cfg(unix)]
pub fn open_inherited(options: &OpenOptions, path: &str) -> io::Result<File> {
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    use std::os::fd::OwnedFd as Owned;
    #[cfg(windows)]
    use std::os::windows::io::OwnedHandle as Owned;

    #[test]
    fn a_line_is_read_to_its_end() {
        let read = |text: &str, longest| {
            let (input, mut output) = io::pipe().unwrap();
            output.write_all(text.as_bytes()).unwrap();
            drop(output);
            read_line(&File::from(Owned::from(input)), longest)
        };
        assert_eq!(read("a line\n", 100).unwrap(), b"a line\n");
        assert_eq!(read(&"x".repeat(3000), 2000).unwrap().len(), 2048);
        assert!(is_closed(&read("half a line", 100).unwrap_err()));
        assert!(is_closed(&read("", 100).unwrap_err()));
    }

    #[test]
    fn writing_to_a_closed_pipe_is_an_error() {
        let (reader, writer) = io::pipe().unwrap();
        let writer = File::from(Owned::from(writer));
        write_line(&writer, b"hello").unwrap();
        drop(reader);
        assert!(is_closed(&write_line(&writer, b"hello").unwrap_err()));
        assert!(!is_closed(&io::Error::other("another")));
    }

    #[cfg(unix)]
    #[test]
    fn a_child_opens_an_inherited_pipe() {
        let (mut reader, writer) = io::pipe().unwrap();
        let inherited = InheritedPipe::new(&writer).unwrap();
        let script = format!("echo it is > {}", inherited.path());
        let mut child = std::process::Command::new("/bin/sh")
            .args(["-c", &script])
            .spawn()
            .unwrap();
        drop((inherited, writer));
        assert!(child.wait().unwrap().success());
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "it is\n");
    }

    #[cfg(unix)]
    #[test]
    fn an_inherited_pipe_is_closed_by_its_last_holder() {
        let (reader, mut writer) = io::pipe().unwrap();
        drop(InheritedPipe::new(&reader).unwrap());
        drop(reader);
        // SIGPIPE is ignored in Rust programs.
        let error = writer.write_all(b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
