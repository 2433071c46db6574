//! Saying and hearing through a pipe, and that nobody is there any more.

use std::fs::File;
use std::io::{self, Read, Write};

/// Says all of something.
///
/// # Errors
/// What the system reports; that the other side is gone ([`is_closed`]).
#[inline(never)]
pub fn write_line(mut output: &File, bytes: &[u8]) -> io::Result<()> {
    output.write_all(bytes)
}

/// Hears a line, or more than `longest` bytes without the end of one. Whoever
/// speaks says nothing behind its line before it has an answer.
///
/// # Errors
/// What the system reports; that the other side is gone ([`is_closed`]).
#[inline(never)]
pub fn read_line(mut input: &File, longest: usize) -> io::Result<Vec<u8>> {
    let mut heard = Vec::new();
    let mut chunk = [0; 1024];
    while !heard.ends_with(b"\n") && heard.len() <= longest {
        match input.read(&mut chunk) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => heard.extend_from_slice(&chunk[..count]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(heard)
}

/// Whether an error says that the other side of a pipe is gone.
#[inline(never)]
pub fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::UnexpectedEof
    )
}

/// What the system said, and whether it is that the other side of a pipe is gone ([`is_closed`]).
///
/// By value: letting go of an error is code that is better had once.
#[inline(never)]
pub fn told(error: io::Error) -> (String, bool) {
    (format!("{error}"), is_closed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    use std::os::fd::OwnedFd as Owned;
    #[cfg(windows)]
    use std::os::windows::io::OwnedHandle as Owned;

    #[test]
    fn a_line_is_heard_to_its_end() {
        let hear = |text: &str, longest| {
            let (input, mut output) = io::pipe().unwrap();
            output.write_all(text.as_bytes()).unwrap();
            drop(output);
            read_line(&File::from(Owned::from(input)), longest)
        };
        assert_eq!(hear("a line\n", 100).unwrap(), b"a line\n");
        assert_eq!(hear(&"x".repeat(3000), 2000).unwrap().len(), 2048);
        assert!(is_closed(&hear("half a line", 100).unwrap_err()));
        assert!(is_closed(&hear("", 100).unwrap_err()));
    }

    #[test]
    fn nobody_hears_what_is_said_into_a_closed_pipe() {
        let (reader, writer) = io::pipe().unwrap();
        let writer = File::from(Owned::from(writer));
        write_line(&writer, b"hello").unwrap();
        drop(reader);
        assert!(is_closed(&write_line(&writer, b"hello").unwrap_err()));
        assert!(!is_closed(&io::Error::other("another")));
    }
}
