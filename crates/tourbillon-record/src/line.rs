//! Lines of a record: their types, their text.

use crate::codec::Object;
use crate::json::{Value, Writer};
use crate::members::Members;
use crate::{
    Case, CaseResult, End, Error, Fault, Header, LaunchSamples, Memory, Rounds, Stepped, Verdict,
};

/// Version of the schema of lines and frames; each of them carries it.
pub const SCHEMA: u32 = 2;

/// Declares the types of lines: each with its data, the form in which [`Line`] owns them, and its
/// name in records.
macro_rules! lines {
    ($($(#[$meta:meta])* $line:ident($data:ty, $owned:ty) = $name:literal,)*) => {
        /// One line of a stored run.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Line {
            $($(#[$meta])* $line($owned),)*
        }

        /// One line of a stored run, borrowed: to be written.
        #[derive(Clone, Copy, Debug)]
        pub enum Entry<'r> {
            $($(#[$meta])* $line(&'r $data),)*
        }

        impl Line {
            /// The line, borrowed.
            pub fn entry(&self) -> Entry<'_> {
                match self {
                    $(Line::$line(data) => Entry::$line(data),)*
                }
            }

            /// Reads one line, with or without its newline.
            ///
            /// # Errors
            ///
            /// [`Error::is_malformed`] for a damaged line, [`Error::is_unknown_type`] for a line of a
            /// type of a newer version, which may be skipped, [`Error::is_other_schema`] for one that
            /// this version cannot read.
            pub fn decode(text: &str) -> Result<Line, Error> {
                let (kind, mut members) = open(text)?;
                match &*kind {
                    $($name => {
                        let mut data = <$owned>::default();
                        data.read_members(&mut members)?;
                        data.unknown = members.rest()?;
                        Ok(Line::$line(data))
                    })*
                    _ => Err(Error::unknown_type(&kind)),
                }
            }
        }

        impl Entry<'_> {
            /// Writes the line as one JSON object, without a newline.
            ///
            /// A number that is not finite is not written, so that readers refuse the line if the member is required.
            /// The JSON text of `unknown` members is copied.
            pub fn encode(self) -> String {
                match self {
                    $(Entry::$line(data) => {
                        encode($name, |out| data.write_members(out), &data.unknown)
                    })*
                }
            }
        }

        impl From<Entry<'_>> for Line {
            fn from(entry: Entry<'_>) -> Line {
                match entry {
                    $(Entry::$line(data) => Line::$line(data.clone().into()),)*
                }
            }
        }
    };
}

lines! {
    /// What ran, where, and with which settings; the first line.
    Header(Header, Header) = "header",
    /// A case that the run selected.
    Case(Case, Case) = "case",
    /// The raw samples of one launch.
    Launch(LaunchSamples, Box<LaunchSamples>) = "launch",
    /// What a memory launch counted.
    Memory(Memory, Memory) = "memory",
    /// What was counted instruction by instruction.
    Stepped(Stepped, Stepped) = "stepped",
    /// A launch that failed.
    Fault(Fault, Fault) = "fault",
    /// The result of one case for one metric.
    Result(CaseResult, CaseResult) = "result",
    /// The raw samples of arms that were compared.
    Rounds(Rounds, Rounds) = "rounds",
    /// The result of a comparison.
    Verdict(Verdict, Verdict) = "verdict",
    /// How the run ended; absent when it was killed.
    End(End, End) = "end",
}

impl Line {
    /// The line as [`Entry::encode`] writes it.
    pub fn encode(&self) -> String {
        self.entry().encode()
    }
}

/// A line of this type: the members that `write` appends, then those that are not known.
pub fn encode(kind: &str, write: impl FnOnce(&mut Writer), unknown: &str) -> String {
    let mut out = Writer::default();
    out.object(|out| {
        out.name("type");
        out.text(kind);
        out.name("schema");
        out.json(SCHEMA);
        write(out);
        if !unknown.is_empty() {
            out.separate();
            out.json(unknown);
        }
    });
    out.finish()
}

/// The type and the members of a line, given with or without its newline.
///
/// # Errors
///
/// When it is not a JSON object, has no type, or has a schema that this version cannot read.
pub fn open(text: &str) -> Result<(String, Members<'_>), Error> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    if let Some(offset) = text.find('\n') {
        return Err(Error::malformed("a newline inside a line", offset));
    }
    let mut members = Members::of("line", Value::parse(text)?)?;
    let kind = members
        .take("type")
        .ok_or_else(|| members.missing("type"))?;
    let kind = crate::codec::text("type", kind)?.into_owned();
    let schema = members
        .take("schema")
        .ok_or_else(|| members.missing("schema"))?;
    match crate::codec::value("schema", schema)? {
        0_u64 => Err(schema.not("schema", "a schema from 1")),
        found if found != SCHEMA.into() => Err(Error::other_schema(found, SCHEMA)),
        _ => Ok((kind, members)),
    }
}
