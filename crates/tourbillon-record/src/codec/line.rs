use super::value::shortened;
use super::{case, end, envelope, fault, header, result, visit};
use crate::{Error, Line};

impl Line {
    /// Writes the line as one JSON object, without a newline.
    ///
    /// A number that is not finite is written as `null`: absent where the field may be absent;
    /// elsewhere [`Line::decode`] refuses the line. The JSON text of `unknown` fields goes out as it
    /// stands: it has to be what [`Line::decode`] gave.
    pub fn encode(&self) -> String {
        match self {
            Line::Header(header) => header::write(header),
            Line::Case(case) => case::write(case),
            Line::Visit(visit) => visit::write(visit),
            Line::Fault(fault) => fault::write(fault),
            Line::Result(result) => result::write(result),
            Line::End(end) => end::write(end),
        }
    }

    /// Reads one line, with or without its newline.
    ///
    /// # Errors
    ///
    /// [`Error::is_malformed`] for a damaged line, [`Error::is_unknown_type`] for a line that only
    /// a newer version knows and that may be skipped, [`Error::is_newer_schema`] for one that this
    /// version cannot read.
    pub fn decode(text: &str) -> Result<Line, Error> {
        let json = envelope::parse(text)?;
        let (kind, fields) = envelope::open(&json)?;
        match &*kind {
            "header" => header::read(fields).map(Line::Header),
            "case" => case::read(fields).map(Line::Case),
            "visit" => visit::read(fields).map(Line::Visit),
            "fault" => fault::read(fields).map(Line::Fault),
            "result" => result::read(fields).map(Line::Result),
            "end" => end::read(fields).map(Line::End),
            other => Err(Error::unknown_type(shortened(other))),
        }
    }
}
