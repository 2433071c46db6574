use tourbillon_record::{Frame, Hello};

use crate::PROTOCOL;

/// How every first line of a worker begins.
const HELLO: &[u8] = br#"{"type":"hello","#;

/// What a line is that cannot be read.
const NO_FRAME: &str = "the worker said what is no frame";

/// Longest line before the hello that is looked at, in bytes: hellos are short.
const LONGEST_NOISE: usize = 1 << 16;

/// Longest line after it, in bytes: a visit of a million batches has half of that.
const LONGEST_LINE: usize = 1 << 26;

/// Makes frames from what comes out of a worker's pipe.
///
/// Everything before the hello is skipped: code that runs before `main` may print.
#[derive(Default)]
pub(crate) struct FrameReader {
    buffer: Vec<u8>,
    /// Bytes at the start of the buffer that hold no line break.
    searched: usize,
    greeted: bool,
}

impl FrameReader {
    /// Takes what was read.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Whether the hello has been read: everything after it is frames.
    pub(crate) fn greeted(&self) -> bool {
        self.greeted
    }

    /// The next frame, or what is wrong with it; `None` when more has to be read first.
    #[inline(never)]
    pub(crate) fn next_frame(&mut self) -> Option<Result<Frame, String>> {
        loop {
            let Some(end) = position(&self.buffer, self.searched, b'\n') else {
                self.searched = self.buffer.len();
                return self.too_long();
            };
            let rest = self.buffer.split_off(end + 1);
            let line = std::mem::replace(&mut self.buffer, rest);
            self.searched = 0;
            if self.greeted {
                return Some(decode(&line[..end], NO_FRAME));
            }
            if let Some(hello) = hello(&line[..end]) {
                self.greeted = true;
                return Some(hello);
            }
        }
    }

    fn too_long(&mut self) -> Option<Result<Frame, String>> {
        if self.greeted {
            let text = "the worker said a line without an end";
            return (self.searched > LONGEST_LINE).then(|| Err(text.to_owned()));
        }
        if self.searched > LONGEST_NOISE {
            self.buffer.clear();
            self.searched = 0;
        }
        None
    }
}

/// The hello that ends a line, if there is one.
fn hello(line: &[u8]) -> Option<Result<Frame, String>> {
    let mut start = line.len().checked_sub(HELLO.len())?;
    while !line[start..].starts_with(HELLO) {
        start = start.checked_sub(1)?;
    }
    let hello = decode(&line[start..], NO_FRAME);
    match &hello {
        Ok(Frame::Hello(Hello { protocol, .. })) if *protocol != PROTOCOL => Some(Err(format!(
            "the worker speaks version {protocol} of the protocol, not {PROTOCOL}; \
             build both sides with one version"
        ))),
        Ok(Frame::Hello(_)) => Some(hello),
        // Something that only looks like one.
        _ => None,
    }
}

/// Where a byte is, from a place on.
pub(crate) fn position(bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
    let mut at = from;
    while *bytes.get(at)? != wanted {
        at += 1;
    }
    Some(at)
}

/// Reads a line; what is wrong with it stands behind `wrong`.
#[inline(never)]
pub(crate) fn decode(line: &[u8], wrong: &str) -> Result<Frame, String> {
    match std::str::from_utf8(line) {
        Ok(text) => match Frame::decode(text) {
            Ok(frame) => Ok(frame),
            Err(why) => Err(told(wrong, &why)),
        },
        Err(why) => Err(told(wrong, &why)),
    }
}

fn told(wrong: &str, why: &dyn std::fmt::Display) -> String {
    format!("{wrong}: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greeting(protocol: u32) -> Frame {
        Frame::Hello(Hello {
            protocol,
            engine: "e".to_owned(),
        })
    }

    fn after(bytes: &[u8]) -> FrameReader {
        let mut lines = FrameReader::default();
        lines.feed(bytes);
        lines
    }

    #[test]
    fn everything_before_the_hello_is_skipped() {
        let hello = greeting(PROTOCOL).encode();
        let text = format!("loading\n{{\"type\":\"bye\",\"schema\":1}}\n\u{1b}[1m\n{hello}\n");
        let mut lines = after(text.as_bytes());
        assert_eq!(lines.next_frame(), Some(Ok(greeting(PROTOCOL))));
        assert_eq!(lines.next_frame(), None);
    }

    #[test]
    fn a_hello_is_found_behind_an_unfinished_line() {
        let text = format!("no line break{}\n", greeting(PROTOCOL).encode());
        assert_eq!(
            after(text.as_bytes()).next_frame(),
            Some(Ok(greeting(PROTOCOL)))
        );
        // Not UTF-8 before it.
        let mut bytes = vec![0xff, 0xfe];
        bytes.extend_from_slice(text.as_bytes());
        assert!(after(&bytes).next_frame().is_some());
    }

    #[test]
    fn noise_needs_no_memory() {
        let mut lines = FrameReader::default();
        for _ in 0..1000 {
            lines.feed(&[b'x'; 4096]);
            assert_eq!(lines.next_frame(), None);
            assert!(lines.buffer.len() <= LONGEST_NOISE + 4096);
        }
        lines.feed(format!("\n{}\n", greeting(PROTOCOL).encode()).as_bytes());
        assert_eq!(lines.next_frame(), Some(Ok(greeting(PROTOCOL))));
    }

    #[test]
    fn frames_come_whole_however_they_were_cut() {
        let text = format!("{}\n{}\n", greeting(PROTOCOL).encode(), Frame::Bye.encode());
        let mut lines = FrameReader::default();
        let mut frames = Vec::new();
        for byte in text.as_bytes() {
            lines.feed(&[*byte]);
            frames.extend(lines.next_frame());
        }
        assert_eq!(frames, [Ok(greeting(PROTOCOL)), Ok(Frame::Bye)]);
    }

    #[test]
    fn what_is_no_frame_is_told() {
        let mut lines = after(greeting(PROTOCOL).encode().as_bytes());
        lines.feed(b"\nthread 'main'\n\xff\n");
        assert!(lines.next_frame().unwrap().is_ok());
        assert!(
            lines
                .next_frame()
                .unwrap()
                .unwrap_err()
                .contains("no frame")
        );
        assert!(lines.next_frame().unwrap().is_err());
    }

    #[test]
    fn another_protocol_is_told() {
        let text = format!("{}\n", greeting(PROTOCOL + 1).encode());
        let error = after(text.as_bytes()).next_frame().unwrap().unwrap_err();
        assert!(error.contains("version 2"), "{error}");
    }
}
