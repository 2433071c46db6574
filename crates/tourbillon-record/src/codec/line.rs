#[cfg(feature = "memory")]
use super::memory;
use super::{FirstError, case, end, envelope, fault, header, result, rounds, verdict, visit};
use crate::{Entry, Error, Line};

impl Line {
    /// The line as [`Entry::encode`] writes it.
    pub fn encode(&self) -> String {
        self.entry().encode()
    }

    /// The line, borrowed: what is appended to a file.
    pub fn entry(&self) -> Entry<'_> {
        match self {
            Line::Header(header) => Entry::Header(header),
            Line::Case(case) => Entry::Case(case),
            Line::Visit(visit) => Entry::Visit(visit),
            #[cfg(feature = "memory")]
            Line::Memory(memory) => Entry::Memory(memory),
            Line::Fault(fault) => Entry::Fault(fault),
            Line::Result(result) => Entry::Result(result),
            Line::Rounds(rounds) => Entry::Rounds(rounds),
            Line::Verdict(verdict) => Entry::Verdict(verdict),
            Line::End(end) => Entry::End(end),
        }
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

impl From<Entry<'_>> for Line {
    /// A copy, for who collects what an observer is told.
    fn from(entry: Entry<'_>) -> Line {
        match entry {
            Entry::Header(header) => Line::Header(header.clone()),
            Entry::Case(case) => Line::Case(case.clone()),
            Entry::Visit(visit) => Line::Visit(Box::new(visit.clone())),
            #[cfg(feature = "memory")]
            Entry::Memory(memory) => Line::Memory(memory.clone()),
            Entry::Fault(fault) => Line::Fault(fault.clone()),
            Entry::Result(result) => Line::Result(result.clone()),
            Entry::Rounds(rounds) => Line::Rounds(rounds.clone()),
            Entry::Verdict(verdict) => Line::Verdict(verdict.clone()),
            Entry::End(end) => Line::End(end.clone()),
        }
    }
}
