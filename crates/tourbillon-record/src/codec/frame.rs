use super::memory;
use super::{Fields, envelope, fault, plan, rounds, start, visit};
use crate::json::Writer;
use crate::{Error, Frame, Hello, Plan};

impl Frame {
    /// Writes the frame as one JSON object, without a newline.
    pub fn encode(&self) -> String {
        let mut writer = Writer::new();
        let unknown = write(&mut writer, self);
        writer.finish(unknown)
    }

    /// Writes the frame of a plan as [`Frame::encode`] does, without making one of it.
    pub fn encode_plan(plan: &Plan) -> String {
        let mut writer = Writer::new();
        plan::write(&mut writer, plan);
        writer.finish("")
    }

    /// Reads one line, with or without its newline.
    ///
    /// # Errors
    ///
    /// As for `Line::decode`.
    #[inline(never)]
    pub fn decode(text: &str) -> Result<Frame, Error> {
        let mut frame = Frame::Bye;
        envelope::open(
            text,
            &mut |kind, fields| match blank(&kind.text().unwrap_or_default()) {
                Some(blank) => {
                    frame = blank;
                    read(fields, &mut frame);
                }
                None => fields.unknown_type(kind),
            },
        )?;
        Ok(frame)
    }
}

/// Writes all but what is not known of a frame, which it returns.
#[inline(never)]
fn write<'f>(writer: &mut Writer, frame: &'f Frame) -> &'f str {
    match frame {
        Frame::Hello(hello) => {
            start(writer, "hello");
            writer.whole("protocol", hello.protocol.into());
            writer.text("engine", &hello.engine);
        }
        Frame::Plan(plan) => plan::write(writer, plan),
        Frame::Progress {
            first_call_ns,
            timeout_ns,
        } => {
            start(writer, "progress");
            writer.whole("first_call_ns", *first_call_ns);
            // As it was before cases said so, where they do not.
            if let Some(timeout_ns) = timeout_ns {
                writer.whole("timeout_ns", *timeout_ns);
            }
        }
        Frame::Panicking { message, place } => {
            start(writer, "panicking");
            fault::write_message(writer, message);
            fault::write_place(writer, place.as_ref());
        }
        Frame::Visit(visit) => {
            visit::write(writer, visit);
            return &visit.unknown;
        }
        Frame::Rounds(rounds) => {
            rounds::write(writer, rounds);
            return &rounds.unknown;
        }
        Frame::Memory(memory) => {
            memory::write(writer, memory);
            return &memory.unknown;
        }
        Frame::Fault(fault) => {
            fault::write(writer, fault);
            return &fault.unknown;
        }
        Frame::Bye => start(writer, "bye"),
    }
    ""
}

/// An empty frame of a type; `None` for one that is not known.
#[inline(never)]
fn blank(kind: &str) -> Option<Frame> {
    Some(match kind {
        "hello" => Frame::Hello(Hello {
            protocol: 0,
            engine: String::new(),
        }),
        "plan" => Frame::Plan(plan::BLANK),
        "progress" => Frame::Progress {
            first_call_ns: 0,
            timeout_ns: None,
        },
        "panicking" => Frame::Panicking {
            message: String::new(),
            place: None,
        },
        "visit" => Frame::Visit(Box::new(visit::BLANK)),
        "rounds" => Frame::Rounds(Box::new(rounds::BLANK)),
        "memory" => Frame::Memory(Box::new(memory::BLANK)),
        "fault" => Frame::Fault(fault::BLANK),
        "bye" => Frame::Bye,
        _ => return None,
    })
}

/// Fills a frame.
#[inline(never)]
fn read(fields: &mut Fields<'_, '_>, frame: &mut Frame) {
    match frame {
        Frame::Hello(hello) => {
            hello.protocol = fields.whole_as("protocol");
            fields.text("engine", &mut hello.engine);
        }
        Frame::Plan(plan) => plan::read(fields, plan),
        Frame::Progress {
            first_call_ns,
            timeout_ns,
        } => {
            *first_call_ns = fields.whole("first_call_ns");
            *timeout_ns = fields.whole_or_none("timeout_ns");
        }
        Frame::Panicking { message, place } => {
            fault::read_message(fields, message);
            fault::read_place(fields, place);
        }
        Frame::Visit(visit) => visit::read(fields, visit),
        Frame::Rounds(rounds) => rounds::read(fields, rounds),
        Frame::Memory(memory) => memory::read(fields, memory),
        Frame::Fault(fault) => fault::read(fields, fault),
        Frame::Bye => {}
    }
}
