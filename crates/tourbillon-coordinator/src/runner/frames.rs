//! Frames between coordinator and worker, a line each.

use std::fs::File;

use tourbillon_os::{read_line, write_line};
use tourbillon_record::{Frame, Hello, Plan};

use crate::runner::worker::Error;

/// Version of the protocol between coordinator and worker.
pub const PROTOCOL: u32 = 1;

/// How the first frame of every worker begins.
const HELLO: &[u8] = br#"{"type":"hello","#;

/// Longest line before the hello that is kept, in bytes: hellos are short.
const LONGEST_NOISE: usize = 1 << 16;
/// Longest line after it, in bytes: a launch of a million batches has half of that.
const LONGEST_LINE: usize = 1 << 26;
/// Longest plan, in bytes: one that names a hundred thousand cases is shorter.
const LONGEST_PLAN: usize = 1 << 24;

/// What is wrong with a line that is not a frame, and with one that is not a plan.
const NO_FRAME: &str = "the worker sent a line that is not a frame";
const NO_PLAN: &str = "a worker cannot read its plan";

/// Makes frames from the output of a worker.
///
/// Everything before the hello is skipped: code that runs before `main` may print.
#[derive(Debug, Default)]
pub struct FrameReader {
    buffer: Vec<u8>,
    /// Bytes at the start of the buffer that hold no line break.
    searched: usize,
    /// The line of the last frame.
    line: Vec<u8>,
    /// Whether the hello has been read: everything after it is frames.
    pub(crate) greeted: bool,
}

impl FrameReader {
    /// Takes what was read.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next frame, or what is wrong with it; `None` when more has to be read first.
    pub fn next_frame(&mut self) -> Option<Result<Frame, String>> {
        loop {
            let mut unsearched = self.buffer[self.searched..].iter();
            let Some(length) = unsearched.position(|byte| *byte == b'\n') else {
                self.searched = self.buffer.len();
                return self.too_long();
            };
            let end = self.searched + length;
            let rest = self.buffer.split_off(end + 1);
            self.line = std::mem::replace(&mut self.buffer, rest);
            self.searched = 0;
            if self.greeted {
                return Some(decode(&self.line[..end], NO_FRAME));
            }
            if let Some(hello) = hello(&self.line[..end]) {
                self.greeted = true;
                return Some(hello);
            }
        }
    }

    /// Takes the line of the last frame, with its end.
    pub(crate) fn take_line(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.line)
    }

    fn too_long(&mut self) -> Option<Result<Frame, String>> {
        if self.greeted {
            let text = "the worker sent a line without an end";
            return (self.searched > LONGEST_LINE).then(|| Err(text.to_owned()));
        }
        if self.searched > LONGEST_NOISE {
            self.buffer.clear();
            self.searched = 0;
        }
        None
    }
}

/// The hello at the end of a line, if there is one.
fn hello(line: &[u8]) -> Option<Result<Frame, String>> {
    let start = line.windows(HELLO.len()).rposition(|part| part == HELLO)?;
    let hello = decode(&line[start..], NO_FRAME);
    match &hello {
        Ok(Frame::Hello(Hello { protocol, .. })) if *protocol != PROTOCOL => Some(Err(format!(
            "the worker uses version {protocol} of the protocol, not {PROTOCOL}; \
             build both sides with one version"
        ))),
        Ok(Frame::Hello(_)) => Some(hello),
        // It only looks like one.
        _ => None,
    }
}

/// Reads a line; an error begins with `wrong`.
fn decode(line: &[u8], wrong: &str) -> Result<Frame, String> {
    let text = std::str::from_utf8(line).map_err(|why| format!("{wrong}: {why}"))?;
    Frame::decode(text).map_err(|why| format!("{wrong}: {why}"))
}

/// Sends the frames of a worker to its coordinator.
#[derive(Debug)]
pub struct FrameWriter {
    output: File,
    written_bytes: u64,
}

impl FrameWriter {
    /// Sends the hello.
    ///
    /// The line break before it ends whatever code that runs before `main` may have printed.
    ///
    /// # Errors
    /// When the coordinator cannot be reached ([`Error::is_closed`]: it is gone).
    pub fn new(output: File, engine: &str) -> Result<FrameWriter, Error> {
        let hello = Frame::Hello(Hello {
            protocol: PROTOCOL,
            engine: engine.to_owned(),
        });
        let mut writer = FrameWriter {
            output,
            written_bytes: 0,
        };
        writer.write(&format!("\n{}\n", hello.encode()))?;
        Ok(writer)
    }

    /// Sends a frame, in one write where the pipe allows it.
    ///
    /// # Errors
    /// When the coordinator cannot be reached ([`Error::is_closed`]: it is gone).
    pub fn write_frame(&mut self, frame: &Frame) -> Result<(), Error> {
        self.write(&(frame.encode() + "\n"))
    }

    /// Bytes sent so far.
    pub fn written_bytes(&self) -> u64 {
        self.written_bytes
    }

    fn write(&mut self, line: &str) -> Result<(), Error> {
        self.written_bytes += line.len() as u64;
        write_line(&self.output, line.as_bytes())
            .map_err(|cause| Error::io("a worker cannot send to its coordinator", &cause))
    }
}

/// Reads the plan, the only frame that a coordinator sends.
///
/// # Errors
/// When the coordinator is gone ([`Error::is_closed`]), or sends something else.
pub fn read_plan(input: &File) -> Result<Plan, Error> {
    let line = read_line(input, LONGEST_PLAN)
        .map_err(|cause| Error::io("a worker cannot read from its coordinator", &cause))?;
    if line.len() > LONGEST_PLAN {
        return Err(Error::new(format!("{NO_PLAN}: it has no end")));
    }
    match decode(&line, NO_PLAN).map_err(Error::new)? {
        Frame::Plan(plan) => Ok(plan),
        _ => Err(Error::new(format!("{NO_PLAN}: it is another frame"))),
    }
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
    fn a_hello_is_found_after_an_unfinished_line() {
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
        assert_eq!(lines.take_line(), (Frame::Bye.encode() + "\n").into_bytes());
    }

    #[test]
    fn a_line_that_is_not_a_frame_is_an_error() {
        let mut lines = after(greeting(PROTOCOL).encode().as_bytes());
        lines.feed(b"\nthread 'main'\n\xff\n");
        assert!(lines.next_frame().unwrap().is_ok());
        assert!(
            lines
                .next_frame()
                .unwrap()
                .unwrap_err()
                .contains("not a frame")
        );
        assert!(lines.next_frame().unwrap().is_err());
    }

    #[test]
    fn another_protocol_is_an_error() {
        let text = format!("{}\n", greeting(PROTOCOL + 1).encode());
        let error = after(text.as_bytes()).next_frame().unwrap().unwrap_err();
        assert!(error.contains("version 2"), "{error}");
    }

    #[cfg(unix)]
    mod through_a_pipe {
        use std::io::{self, Read, Write};
        use std::os::fd::OwnedFd;
        use std::thread;

        use super::*;

        const PLAN: &str = concat!(
            r#"{"type":"plan","schema":2,"case":"a","launch":3,"seed":7,"clock":"tsc","#,
            r#""tick_hz":9,"budget_ns":1,"batch_ns":2,"min_iterations":3,"window_items":4,"#,
            r#""window_bytes":5,"batch_shape":null,"memory":false}"#,
        );

        /// What a worker reads from a text in place of its plan. A pipe may hold less than that.
        fn read(text: &str) -> Result<Plan, Error> {
            let (input, mut output) = io::pipe().unwrap();
            thread::scope(|scope| {
                scope.spawn(move || output.write_all(text.as_bytes()));
                read_plan(&File::from(OwnedFd::from(input)))
            })
        }

        /// What a coordinator reads from a worker that sends hello and bye.
        fn sent() -> Vec<u8> {
            let (mut reader, writer) = io::pipe().unwrap();
            let mut writer = FrameWriter::new(File::from(OwnedFd::from(writer)), "e").unwrap();
            writer.write_frame(&Frame::Bye).unwrap();
            let sent = writer.written_bytes();
            drop(writer);
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes.len() as u64, sent);
            bytes
        }

        #[test]
        fn noise_without_an_end_is_ended_by_the_hello() {
            let mut lines = FrameReader::default();
            // So long that it is dropped, together with the rest of its line.
            lines.feed(&[b'x'; 1 << 17]);
            for byte in sent() {
                lines.feed(&[byte]);
                if let Some(frame) = lines.next_frame() {
                    assert!(matches!(frame, Ok(Frame::Hello(_))), "{frame:?}");
                    return;
                }
            }
            panic!("the hello was dropped");
        }

        #[test]
        fn a_coordinator_that_is_gone_is_a_closed_error() {
            let (reader, writer) = io::pipe().unwrap();
            drop(reader);
            let error = FrameWriter::new(File::from(OwnedFd::from(writer)), "e").unwrap_err();
            assert!(error.is_closed());
            assert!(read("").unwrap_err().is_closed());
            assert!(read(&PLAN[..50]).unwrap_err().is_closed());
        }

        #[test]
        fn only_a_plan_is_understood() {
            let plan = read(&format!("{PLAN}\n")).unwrap();
            assert_eq!(
                (plan.case.as_str(), plan.launch, plan.batch_shape),
                ("a", 3, None)
            );
            for strange in ["hello\n", "\n", &format!("{}\n", Frame::Bye.encode())] {
                let error = read(strange).unwrap_err();
                assert!(error.to_string().contains("its plan"), "{error}");
                assert!(!error.is_closed());
            }
            let endless = read(&"x".repeat(LONGEST_PLAN + 2000)).unwrap_err();
            assert!(endless.to_string().contains("has no end"));
        }
    }
}
