use super::value::shortened;
use super::{Fields, Writer, envelope, fault, plan, visit};
use crate::{Error, Frame, Hello};

impl Frame {
    /// Writes the frame as one JSON object, without a newline.
    pub fn encode(&self) -> String {
        let writer = match self {
            Frame::Hello(hello) => {
                let mut writer = Writer::line("hello");
                writer.whole("protocol", hello.protocol.into());
                writer.text("engine", &hello.engine);
                writer
            }
            Frame::Plan(plan) => plan::write(plan),
            Frame::Progress { first_call_ns } => {
                let mut writer = Writer::line("progress");
                writer.whole("first_call_ns", *first_call_ns);
                writer
            }
            Frame::Panicking { message, place } => {
                let mut writer = Writer::line("panicking");
                writer.text("message", message);
                fault::write_place(&mut writer, place.as_ref());
                writer
            }
            Frame::Visit(visit) => return visit::write(visit),
            Frame::Fault(fault) => return fault::write(fault),
            Frame::Bye => Writer::line("bye"),
        };
        writer.finish(&[])
    }

    /// Reads one line, with or without its newline.
    ///
    /// # Errors
    ///
    /// As for [`Line::decode`](crate::Line::decode).
    pub fn decode(text: &str) -> Result<Frame, Error> {
        let json = envelope::parse(text)?;
        let (kind, mut fields) = envelope::open(&json)?;
        match &*kind {
            "hello" => hello(&mut fields).map(Frame::Hello),
            "plan" => plan::read(&mut fields).map(Frame::Plan),
            "progress" => Ok(Frame::Progress {
                first_call_ns: fields.whole("first_call_ns")?,
            }),
            "panicking" => Ok(Frame::Panicking {
                message: fields.text("message")?,
                place: fault::read_place(&mut fields)?,
            }),
            "visit" => visit::read(fields).map(|visit| Frame::Visit(Box::new(visit))),
            "fault" => fault::read(fields).map(Frame::Fault),
            "bye" => Ok(Frame::Bye),
            other => Err(Error::unknown_type(shortened(other))),
        }
    }
}

fn hello(fields: &mut Fields<'_, '_>) -> Result<Hello, Error> {
    Ok(Hello {
        protocol: fields.whole_as("protocol")?,
        engine: fields.text("engine")?,
    })
}
