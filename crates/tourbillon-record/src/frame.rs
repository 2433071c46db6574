//! Messages between coordinator and worker.

use crate::codec::{Object, object, read_fields, write_fields};
use crate::fault::shortened;
use crate::line::{encode, open};
use crate::{Entry, Error, Fault, Followed, LaunchSamples, Memory, Plan, Rounds, SourceLocation};

/// First argument of a worker process.
pub const WORKER_ARGUMENT: &str = "--tourbillon-worker";

/// First argument of the program that a bench program starts to have one of its workers stepped.
pub const STEP_ARGUMENT: &str = "--tourbillon-step";

/// A message between coordinator and worker: one line.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// Worker: the first line.
    Hello(Hello),
    /// Coordinator: what to do.
    Plan(Plan),
    /// Worker: still alive, between two samples. The first one comes right after the first call of the
    /// body; where the case has a timeout of its own, one with that comes before.
    Progress {
        /// The first call in nanoseconds; 0 before it.
        first_call_ns: u64,
        /// The case's own timeout in nanoseconds, the silence that counts as a hang; only before its
        /// first call.
        timeout_ns: Option<u64>,
    },
    /// Worker: a panic started. It may yet be caught; if the worker dies, this is why.
    Panicking {
        /// The message.
        message: String,
        /// Where.
        location: Option<SourceLocation>,
    },
    /// Worker: the samples.
    Launch(Box<LaunchSamples>),
    /// Worker: the samples of arms that are compared.
    Rounds(Box<Rounds>),
    /// Worker: what was counted.
    Memory(Box<Memory>),
    /// What follows workers: what it found out.
    Followed(Box<Followed>),
    /// Worker: no samples, and why.
    Fault(Fault),
    /// Worker: nothing more will come.
    Bye,
}

/// How a worker introduces itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hello {
    /// Version of the protocol.
    pub protocol: u32,
    /// Identity of the measuring engine.
    pub engine: String,
}

object! {
    Hello { protocol, engine }
}

impl Frame {
    /// Writes the frame as one JSON object, without a newline.
    pub fn encode(&self) -> String {
        match self {
            Frame::Hello(hello) => encode("hello", |out| hello.write_members(out), ""),
            Frame::Plan(plan) => Frame::encode_plan(plan),
            Frame::Progress {
                first_call_ns,
                timeout_ns,
            } => encode(
                "progress",
                |out| {
                    write_fields(
                        out,
                        &[("first_call_ns", first_call_ns), ("timeout_ns", timeout_ns)],
                    );
                },
                "",
            ),
            Frame::Panicking { message, location } => encode(
                "panicking",
                |out| {
                    write_fields(
                        out,
                        &[("message", &shortened(message)), ("location", location)],
                    )
                },
                "",
            ),
            Frame::Launch(launch) => Entry::Launch(launch).encode(),
            Frame::Rounds(rounds) => Entry::Rounds(rounds).encode(),
            Frame::Memory(memory) => Entry::Memory(memory).encode(),
            Frame::Followed(followed) => encode("followed", |out| followed.write_members(out), ""),
            Frame::Fault(fault) => Entry::Fault(fault).encode(),
            Frame::Bye => encode("bye", |_| {}, ""),
        }
    }

    /// Writes the frame of a plan as [`Frame::encode`] does, without making one of it.
    pub fn encode_plan(plan: &Plan) -> String {
        encode("plan", |out| plan.write_members(out), "")
    }

    /// Reads one line, with or without its newline. Unknown members are not kept: both ends are the same
    /// executable.
    ///
    /// # Errors
    ///
    /// As for [`Line::decode`](crate::Line::decode).
    pub fn decode(text: &str) -> Result<Frame, Error> {
        let (kind, mut members) = open(text)?;
        let from = &mut members;
        Ok(match &*kind {
            "hello" => Frame::Hello(Object::from_members(from)?),
            "plan" => Frame::Plan(Object::from_members(from)?),
            "progress" => {
                let (mut first_call_ns, mut timeout_ns) = (0, None);
                read_fields(
                    from,
                    &mut [
                        ("first_call_ns", &mut first_call_ns),
                        ("timeout_ns", &mut timeout_ns),
                    ],
                )?;
                Frame::Progress {
                    first_call_ns,
                    timeout_ns,
                }
            }
            "panicking" => {
                let (mut message, mut location) = (String::new(), None);
                read_fields(
                    from,
                    &mut [("message", &mut message), ("location", &mut location)],
                )?;
                Frame::Panicking {
                    message: shortened(&message),
                    location,
                }
            }
            "launch" => Frame::Launch(Box::new(Object::from_members(from)?)),
            "rounds" => Frame::Rounds(Box::new(Object::from_members(from)?)),
            "memory" => Frame::Memory(Box::new(Object::from_members(from)?)),
            "followed" => Frame::Followed(Box::new(Object::from_members(from)?)),
            "fault" => Frame::Fault(Object::from_members(from)?),
            "bye" => Frame::Bye,
            _ => return Err(Error::unknown_type(&kind)),
        })
    }
}
