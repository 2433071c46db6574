//! What a program prints, made safe for a terminal and for the log of a job while it comes.

use crate::escape::escape_lines;
use crate::runner_commands::escape_commands;

/// Bytes of a line after which it is broken.
const LONGEST: usize = 1 << 16;
/// How a sequence of a terminal begins.
const SEQUENCE: &str = "\x1b[";
/// Most characters of its numbers.
const NUMBERS: usize = 24;
/// What ends all colours.
const RESET: &str = "\x1b[0m";

/// Makes a stream safe for a terminal, and [for the log of a job](escape_commands), line by line.
///
/// What cargo draws with stays: colours, which end with their line, returns, and what erases the rest of a line. The rest is
/// [escaped](escape_lines), so that no text sets a title, rings, moves, or writes in another direction.
///
/// # Examples
///
/// ```
/// let mut stream = tourbillon_present::EscapedStream::default();
/// assert_eq!(stream.add(b"one\n\x1b]0;ti"), "one\n");
/// assert_eq!(stream.add(b"tle\x07\n"), "\\u{1b}]0;title\\u{7}\n");
/// assert_eq!(stream.add("a\u{202e}b".as_bytes()) + &stream.rest(), "a\\u{202e}b");
/// ```
#[derive(Clone, Debug, Default)]
pub struct EscapedStream {
    line: Vec<u8>,
}

impl EscapedStream {
    /// Adds bytes; the lines that are whole now.
    pub fn add(&mut self, bytes: &[u8]) -> String {
        let mut whole = String::new();
        for piece in bytes.split_inclusive(|byte| is_end(*byte)) {
            self.line.extend_from_slice(piece);
            if self.line.last().is_some_and(|byte| is_end(*byte)) {
                whole += &self.rest();
            } else if self.line.len() > LONGEST {
                whole += &self.rest();
                whole.push('\n');
            }
        }
        whole
    }

    /// What has come of a line that has no end.
    pub fn rest(&mut self) -> String {
        let line = std::mem::take(&mut self.line);
        escape_commands(safe_line(&String::from_utf8_lossy(&line)))
    }
}

fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// A line with the sequences that cargo draws with.
fn safe_line(line: &str) -> String {
    let length = line.len() - usize::from(line.ends_with(['\n', '\r']));
    let (mut rest, end) = line.split_at(length);
    let mut safe = String::with_capacity(line.len());
    let mut is_colored = false;
    while let Some(at) = rest.find(SEQUENCE) {
        let (before, sequence) = rest.split_at(at);
        safe += &escape_lines(before, true);
        let drawn = drawing(sequence);
        let (own, after) = sequence.split_at(drawn.unwrap_or(SEQUENCE.len()));
        match drawn {
            Some(_) => safe += own,
            None => safe += &escape_lines(own, true),
        }
        is_colored |= drawn.is_some() && own.ends_with('m');
        rest = after;
    }
    safe += &escape_lines(rest, true);
    if is_colored {
        safe += RESET;
    }
    safe + end
}

/// The length of a sequence that sets colours or erases the rest of a line; `None` for any other.
fn drawing(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix(SEQUENCE)?;
    let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b';';
    let count = numbers.bytes().take_while(is_number).count();
    let is_drawing = count <= NUMBERS && numbers[count..].starts_with(['m', 'K']);
    is_drawing.then_some(SEQUENCE.len() + count + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text in pieces of so many bytes.
    fn in_pieces(text: &[u8], bytes: usize) -> String {
        let mut stream = EscapedStream::default();
        let mut all = String::new();
        for piece in text.chunks(bytes) {
            all += &stream.add(piece);
        }
        all + &stream.rest()
    }

    #[test]
    fn only_what_cargo_draws_with_stays() {
        for (text, expected) in [
            ("   Compiling a\n", "   Compiling a\n"),
            (
                "\x1b[1m\x1b[38;5;9merror\x1b[0m: x\n",
                "\x1b[1m\x1b[38;5;9merror\x1b[0m: x\x1b[0m\n",
            ),
            ("[==> ] 1/3\r\x1b[Kb\n", "[==> ] 1/3\r\x1b[Kb\n"),
            ("a\tb\r\n", "a\tb\r\n"),
            ("\x07\x1b]0;t\x07\n", "\\u{7}\\u{1b}]0;t\\u{7}\n"),
            (
                "\x1b[2J\x1b[1;1H\x1b[31",
                "\\u{1b}[2J\\u{1b}[1;1H\\u{1b}[31",
            ),
            ("a\u{202e}b\u{9b}31mc", "a\\u{202e}b\\u{9b}31mc"),
            ("\x1b\x1b[m", "\\u{1b}\x1b[m\x1b[0m"),
            ("größer\n", "größer\n"),
        ] {
            for bytes in [1, 2, 3, 7, 1000] {
                assert_eq!(in_pieces(text.as_bytes(), bytes), expected, "{text:?}");
            }
        }
        assert_eq!(in_pieces(b"a\xffb\n", 2), "a\u{fffd}b\n");
        let numbers = "1".repeat(NUMBERS + 1);
        let long = format!("\x1b[{numbers}m");
        assert_eq!(
            in_pieces(long.as_bytes(), 9),
            format!("\\u{{1b}}[{numbers}m")
        );
    }

    #[test]
    fn a_line_without_an_end_takes_little_memory() {
        let mut stream = EscapedStream::default();
        let mut shown = 0;
        for _ in 0..1000 {
            shown += stream.add(&[b'x'; 1000]).len();
            assert!(stream.line.len() <= LONGEST);
        }
        assert!(shown > 900_000, "{shown}");
    }
}
