//! Shows what a program says on its stderr, made safe for a terminal.

use std::io::{self, ErrorKind, Read, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use tourbillon_present::EscapedStream;

/// How long what comes after the end of a program is awaited, from one that it has left behind.
const LEFT_BEHIND: Duration = Duration::from_secs(1);
/// Bytes that are read at once.
const CHUNK: usize = 1 << 13;

/// Shows on the stderr of this process what a program says on its own: code of a commit, a build script, cargo that quotes
/// them. Without [what a terminal would obey](EscapedStream), except what cargo draws with.
#[derive(Debug)]
pub struct ErrorRelay {
    end: Receiver<()>,
}

impl ErrorRelay {
    /// Of a program whose stderr is this pipe; of none without one.
    pub fn of(stderr: Option<impl Read + Send + 'static>) -> ErrorRelay {
        let (sender, end) = mpsc::channel::<()>();
        if let Some(stderr) = stderr {
            thread::spawn(move || {
                relay(stderr, &mut io::stderr());
                drop(sender);
            });
        }
        ErrorRelay { end }
    }

    /// Waits until all is shown that the program has said, once it has ended.
    pub fn finish(self) {
        let _ = self.end.recv_timeout(LEFT_BEHIND);
    }
}

/// Copies a pipe up to its end. Where the stderr of this process is closed, the program goes on nevertheless.
fn relay(mut stderr: impl Read, shown: &mut impl Write) {
    let mut stream = EscapedStream::default();
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = match stderr.read(&mut chunk) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => break,
            Ok(count) => count,
        };
        let _ = shown.write_all(stream.add(&chunk[..count]).as_bytes());
    }
    let _ = shown.write_all(stream.rest().as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_controls_no_terminal() {
        let said = "warning: \x1b]0;title\x07 \u{202e}\n\x1b[31mred\x1b[0m\nlast \x07";
        let mut shown = Vec::new();
        relay(said.as_bytes(), &mut shown);
        let expected =
            "warning: \\u{1b}]0;title\\u{7} \\u{202e}\n\x1b[31mred\x1b[0m\x1b[0m\nlast \\u{7}";
        assert_eq!(String::from_utf8(shown).expect("text"), expected);
    }
}
