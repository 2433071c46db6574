#[cfg(feature = "memory")]
use super::memory;
use super::{FirstError, case, end, envelope, fault, header, result, rounds, verdict, visit};
use crate::json::Writer;
use crate::{Error, Line};

impl Line {
    /// Writes the line as one JSON object, without a newline.
    ///
    /// A number that is not finite is written as `null`: absent where the field may be absent;
    /// elsewhere [`Line::decode`] refuses the line. The JSON text of `unknown` fields goes out as it
    /// stands: it has to be what [`Line::decode`] gave.
    pub fn encode(&self) -> String {
        let mut writer = Writer::new();
        let unknown = match self {
            Line::Header(header) => return header.encode(),
            Line::Case(case) => {
                case::write(&mut writer, case);
                &case.unknown
            }
            Line::Visit(visit) => {
                visit::write(&mut writer, visit);
                &visit.unknown
            }
            #[cfg(feature = "memory")]
            Line::Memory(memory) => {
                memory::write(&mut writer, memory);
                &memory.unknown
            }
            Line::Fault(fault) => {
                fault::write(&mut writer, fault);
                &fault.unknown
            }
            Line::Result(result) => {
                result::write(&mut writer, result);
                &result.unknown
            }
            Line::Rounds(rounds) => {
                rounds::write(&mut writer, rounds);
                &rounds.unknown
            }
            Line::Verdict(verdict) => {
                verdict::write(&mut writer, verdict);
                &verdict.unknown
            }
            Line::End(end) => {
                end::write(&mut writer, end);
                &end.unknown
            }
        };
        writer.finish(unknown)
    }

    /// Reads one line, with or without its newline.
    ///
    /// # Errors
    ///
    /// [`Error::is_malformed`] for a damaged line, [`Error::is_unknown_type`] for a line that only
    /// a newer version knows and that may be skipped, [`Error::is_newer_schema`] for one that this
    /// version cannot read.
    #[inline(never)]
    pub fn decode(text: &str) -> Result<Line, Error> {
        let first_error = FirstError::default();
        let (kind, mut fields) = envelope::open(text, &first_error)?;
        let line = match kind.as_str() {
            "header" => Line::Header(header::read(&mut fields)),
            "case" => Line::Case(case::read(&mut fields)),
            "visit" => Line::Visit(Box::new(visit::read(&mut fields))),
            #[cfg(feature = "memory")]
            "memory" => Line::Memory(memory::read(&mut fields)),
            "fault" => Line::Fault(fault::read(&mut fields)),
            "result" => Line::Result(result::read(&mut fields)),
            "rounds" => Line::Rounds(rounds::read(&mut fields)),
            "verdict" => Line::Verdict(verdict::read(&mut fields)),
            "end" => Line::End(end::read(&mut fields)),
            other => return Err(Error::unknown_type(other)),
        };
        first_error.check(line)
    }
}
