use std::fs::File;

use tourbillon_os::{read_line, write_line};
use tourbillon_record::{Frame, Hello, Plan};

use crate::Error;
use crate::frame_reader::decode;

/// Version of what coordinator and worker say to each other.
pub const PROTOCOL: u32 = 1;

/// What is said of a plan that is none.
const NOT_UNDERSTOOD: &str = "a worker does not understand its plan";

/// Longest plan, in bytes: one that names a hundred thousand cases is shorter.
const LONGEST_PLAN: usize = 1 << 24;

/// A worker's voice: frames to its coordinator, a line each.
#[derive(Debug)]
pub struct FrameWriter {
    output: File,
    said_bytes: u64,
}

impl FrameWriter {
    /// Says hello.
    ///
    /// The line break before it ends whatever code that runs before `main` may have printed.
    ///
    /// # Errors
    /// When the coordinator cannot be reached ([`Error::is_closed`]: it is gone).
    #[inline(never)]
    pub fn new(output: File, engine: &str) -> Result<FrameWriter, Error> {
        let hello = Frame::Hello(Hello {
            protocol: PROTOCOL,
            engine: engine.to_owned(),
        });
        let mut voice = FrameWriter {
            output,
            said_bytes: 0,
        };
        voice.write(format!("\n{}\n", hello.encode()))?;
        Ok(voice)
    }

    /// Says something, in one write where the pipe allows it.
    ///
    /// # Errors
    /// When the coordinator cannot be reached ([`Error::is_closed`]: it is gone).
    pub fn write_frame(&mut self, frame: &Frame) -> Result<(), Error> {
        let mut line = frame.encode();
        line.push('\n');
        self.write(line)
    }

    /// Bytes that were said so far.
    pub fn said_bytes(&self) -> u64 {
        self.said_bytes
    }

    fn write(&mut self, line: String) -> Result<(), Error> {
        self.said_bytes += line.len() as u64;
        match write_line(&self.output, line.as_bytes()) {
            Ok(()) => Ok(()),
            Err(e) => Err(Error::io("a worker cannot speak to its coordinator", e)),
        }
    }
}

/// Hears the plan, which is the only thing that a coordinator says.
///
/// # Errors
/// When the coordinator is gone ([`Error::is_closed`]), or says something else.
#[inline(never)]
pub fn read_plan(input: &File) -> Result<Plan, Error> {
    let heard = match read_line(input, LONGEST_PLAN) {
        Ok(heard) => heard,
        Err(e) => return Err(Error::io("a worker cannot hear its coordinator", e)),
    };
    if heard.len() > LONGEST_PLAN {
        return Err(Error::new("a worker was given a plan without an end"));
    }
    match decode(&heard, NOT_UNDERSTOOD) {
        Ok(Frame::Plan(plan)) => Ok(plan),
        Ok(_) => Err(Error::new(format!("{NOT_UNDERSTOOD}: it is another frame"))),
        Err(why) => Err(Error::new(why)),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::{self, Read, Write};
    use std::os::fd::OwnedFd;
    use std::thread;

    use super::*;
    use crate::frame_reader::FrameReader;

    const PLAN: &str = concat!(
        r#"{"type":"plan","schema":1,"case":"a","launch":3,"seed":7,"clock":"tsc","#,
        r#""tick_hz":9,"budget_ns":1,"batch_ns":2,"min_iterations":3,"window_items":4,"#,
        r#""window_bytes":5,"length":null}"#,
    );

    /// What a worker makes of a text in place of its plan. A pipe may be shorter than that.
    fn hear(text: &str) -> Result<Plan, Error> {
        let (input, mut output) = io::pipe().unwrap();
        thread::scope(|scope| {
            scope.spawn(move || output.write_all(text.as_bytes()));
            read_plan(&File::from(OwnedFd::from(input)))
        })
    }

    /// What a coordinator reads from a worker that says hello and bye.
    fn heard() -> Vec<u8> {
        let (mut reader, writer) = io::pipe().unwrap();
        let mut voice = FrameWriter::new(File::from(OwnedFd::from(writer)), "e").unwrap();
        voice.write_frame(&Frame::Bye).unwrap();
        let said = voice.said_bytes();
        drop(voice);
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes.len() as u64, said);
        bytes
    }

    #[test]
    fn noise_without_an_end_is_ended_by_the_hello() {
        let mut lines = FrameReader::default();
        // So long that it is thrown away, together with what is behind it on its line.
        lines.feed(&[b'x'; 1 << 17]);
        for byte in heard() {
            lines.feed(&[byte]);
            if let Some(frame) = lines.next_frame() {
                assert!(matches!(frame, Ok(Frame::Hello(_))), "{frame:?}");
                return;
            }
        }
        panic!("the hello was thrown away");
    }

    #[test]
    fn a_coordinator_that_is_gone_is_told_apart() {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let error = FrameWriter::new(File::from(OwnedFd::from(writer)), "e").unwrap_err();
        assert!(error.is_closed());
        assert!(hear("").unwrap_err().is_closed());
        assert!(hear(&PLAN[..50]).unwrap_err().is_closed());
    }

    #[test]
    fn only_a_plan_is_understood() {
        let plan = hear(&format!("{PLAN}\n")).unwrap();
        assert_eq!(
            (plan.case.as_str(), plan.launch, plan.length),
            ("a", 3, None)
        );
        for strange in ["hello\n", "\n", &format!("{}\n", Frame::Bye.encode())] {
            let error = hear(strange).unwrap_err();
            assert!(error.to_string().contains("its plan"), "{error}");
            assert!(!error.is_closed());
        }
        let endless = hear(&"x".repeat(LONGEST_PLAN + 2000)).unwrap_err();
        assert!(endless.to_string().contains("without an end"));
    }
}
