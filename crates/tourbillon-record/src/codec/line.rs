use super::memory;
use super::{Fields, case, end, envelope, fault, header, result, rounds, verdict, visit};
use crate::json::Value;
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
        let mut line = None;
        envelope::open(text, &mut |kind, fields| {
            line = read(kind, fields);
        })?;
        // A type that is not known was noted as an error.
        line.ok_or_else(|| Error::unknown_type(""))
    }
}

fn read(kind: Value<'_>, fields: &mut Fields<'_, '_>) -> Option<Line> {
    Some(match &*kind.text().unwrap_or_default() {
        "header" => {
            let mut header = header::BLANK;
            header::read(fields, &mut header);
            Line::Header(header)
        }
        "case" => Line::Case(case::read(fields)),
        "visit" => {
            let mut visit = Box::new(visit::BLANK);
            visit::read(fields, &mut visit);
            Line::Visit(visit)
        }
        "memory" => {
            let mut memory = memory::BLANK;
            memory::read(fields, &mut memory);
            Line::Memory(memory)
        }
        "fault" => {
            let mut fault = fault::BLANK;
            fault::read(fields, &mut fault);
            Line::Fault(fault)
        }
        "result" => {
            let mut result = result::BLANK;
            result::read(fields, &mut result);
            Line::Result(result)
        }
        "rounds" => {
            let mut rounds = rounds::BLANK;
            rounds::read(fields, &mut rounds);
            Line::Rounds(rounds)
        }
        "verdict" => Line::Verdict(verdict::read(fields)),
        "end" => Line::End(end::read(fields)),
        _ => {
            fields.unknown_type(kind);
            return None;
        }
    })
}

impl From<Entry<'_>> for Line {
    /// A copy, for who collects what an observer is told.
    fn from(entry: Entry<'_>) -> Line {
        match entry {
            Entry::Header(header) => Line::Header(header.clone()),
            Entry::Case(case) => Line::Case(case.clone()),
            Entry::Visit(visit) => Line::Visit(Box::new(visit.clone())),
            Entry::Memory(memory) => Line::Memory(memory.clone()),
            Entry::Fault(fault) => Line::Fault(fault.clone()),
            Entry::Result(result) => Line::Result(result.clone()),
            Entry::Rounds(rounds) => Line::Rounds(rounds.clone()),
            Entry::Verdict(verdict) => Line::Verdict(verdict.clone()),
            Entry::End(end) => Line::End(end.clone()),
        }
    }
}
