//! Shows what a program says on its stderr, made safe for a terminal.

use std::io::{self, ErrorKind, Read, Write};
use std::mem;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tourbillon_present::EscapedStream;

/// How long what comes after the end of a program is awaited, from one that it has left behind.
const LEFT_BEHIND: Duration = Duration::from_secs(1);
/// Bytes that are read at once.
const CHUNK: usize = 1 << 13;
/// Bytes of the end that are kept.
const KEPT: usize = 1 << 16;

/// Shows on the stderr of this process what a program says on its own: code of a commit, a build script, cargo that quotes
/// them. Without [what a terminal would obey](EscapedStream), except what cargo draws with.
#[derive(Debug)]
pub struct ErrorRelay {
    end: Receiver<()>,
    /// The end of what the program has said, as it was.
    said: Arc<Mutex<Vec<u8>>>,
}

impl ErrorRelay {
    /// Of a program whose stderr is this pipe; of none without one.
    pub fn of(stderr: Option<impl Read + Send + 'static>) -> ErrorRelay {
        let (sender, end) = mpsc::channel::<()>();
        let said = Arc::default();
        if let Some(stderr) = stderr {
            let kept = Arc::clone(&said);
            thread::spawn(move || {
                relay(stderr, &mut io::stderr(), &kept);
                drop(sender);
            });
        }
        ErrorRelay { end, said }
    }

    /// Waits until all is shown that the program has said, once it has ended. Gives the end of it, as it was.
    pub fn finish(self) -> Vec<u8> {
        let _ = self.end.recv_timeout(LEFT_BEHIND);
        mem::take(&mut *self.said.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Copies a pipe up to its end. Where the stderr of this process is closed, the program goes on nevertheless.
fn relay(mut stderr: impl Read, shown: &mut impl Write, kept: &Mutex<Vec<u8>>) {
    let mut stream = EscapedStream::default();
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = match stderr.read(&mut chunk) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => break,
            Ok(count) => count,
        };
        let _ = shown.write_all(stream.add(&chunk[..count]).as_bytes());
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&chunk[..count]);
        let before = kept.len().saturating_sub(KEPT);
        kept.drain(..before);
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
        let kept = Mutex::default();
        relay(said.as_bytes(), &mut shown, &kept);
        let expected =
            "warning: \\u{1b}]0;title\\u{7} \\u{202e}\n\x1b[31mred\x1b[0m\x1b[0m\nlast \\u{7}";
        assert_eq!(String::from_utf8(shown).expect("text"), expected);
        assert_eq!(*kept.lock().expect("a text"), said.as_bytes());
        let long = [vec![b'a'; KEPT], said.into()].concat();
        relay(&*long, &mut io::sink(), &kept);
        assert_eq!(*kept.lock().expect("a text"), long[said.len()..]);
    }
}
