#[cfg(feature = "memory")]
use super::memory;
use super::{FirstError, envelope, fault, plan, rounds, start, visit};
use crate::json::Writer;
use crate::{Error, Frame, Hello};

impl Frame {
    /// Writes the frame as one JSON object, without a newline.
    pub fn encode(&self) -> String {
        let mut writer = Writer::new();
        let mut unknown: &[(String, String)] = &[];
        match self {
            Frame::Hello(hello) => {
                start(&mut writer, "hello");
                writer.whole("protocol", hello.protocol.into());
                writer.text("engine", &hello.engine);
            }
            Frame::Plan(plan) => plan::write(&mut writer, plan),
            Frame::Progress { first_call_ns } => {
                start(&mut writer, "progress");
                writer.whole("first_call_ns", *first_call_ns);
            }
            Frame::Panicking { message, place } => {
                start(&mut writer, "panicking");
                writer.text("message", message);
                fault::write_place(&mut writer, place.as_ref());
            }
            Frame::Visit(visit) => {
                visit::write(&mut writer, visit);
                unknown = &visit.unknown;
            }
            Frame::Rounds(rounds) => {
                rounds::write(&mut writer, rounds);
                unknown = &rounds.unknown;
            }
            #[cfg(feature = "memory")]
            Frame::Memory(memory) => {
                memory::write(&mut writer, memory);
                unknown = &memory.unknown;
            }
            Frame::Fault(fault) => {
                fault::write(&mut writer, fault);
                unknown = &fault.unknown;
            }
            Frame::Bye => start(&mut writer, "bye"),
        }
        writer.finish(unknown)
    }

    /// Reads one line, with or without its newline.
    ///
    /// # Errors
    ///
    /// As for `Line::decode`.
    #[inline(never)]
    pub fn decode(text: &str) -> Result<Frame, Error> {
        let first_error = FirstError::default();
        let (kind, mut fields) = envelope::open(text, &first_error)?;
        let frame = match kind.as_str() {
            "hello" => Frame::Hello(Hello {
                protocol: fields.whole_as("protocol"),
                engine: fields.text("engine"),
            }),
            "plan" => Frame::Plan(plan::read(&mut fields)),
            "progress" => Frame::Progress {
                first_call_ns: fields.whole("first_call_ns"),
            },
            "panicking" => Frame::Panicking {
                message: fields.text("message"),
                place: fault::read_place(&mut fields),
            },
            "visit" => Frame::Visit(Box::new(visit::read(&mut fields))),
            "rounds" => Frame::Rounds(Box::new(rounds::read(&mut fields))),
            #[cfg(feature = "memory")]
            "memory" => Frame::Memory(Box::new(memory::read(&mut fields))),
            "fault" => Frame::Fault(fault::read(&mut fields)),
            "bye" => Frame::Bye,
            other => return Err(Error::unknown_type(other)),
        };
        first_error.check(frame)
    }
}
