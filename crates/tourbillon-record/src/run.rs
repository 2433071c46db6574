use crate::Memory;
use crate::file::{is_cut, read_header};
use crate::{Case, CaseResult, End, Error, Fault, Header, Line, Rounds, Verdict, Visit};

/// A stored run, read as a whole.
///
/// What is whole is kept: a cut-off last line (the run was killed in the middle of a write) is left
/// out and flagged, a damaged line elsewhere costs itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What ran, where, and with which settings.
    pub header: Header,
    /// The cases that the run selected, in the order of the file.
    pub cases: Vec<Case>,
    /// The raw samples, in the order in which the visits happened.
    pub visits: Vec<Visit>,
    /// What memory visits counted, in the order in which they happened.
    pub memory: Vec<Memory>,
    /// The visits that failed, in the order in which they happened.
    pub faults: Vec<Fault>,
    /// What the samples amount to.
    pub results: Vec<CaseResult>,
    /// The raw samples of comparisons, in the order of the file.
    pub rounds: Vec<Rounds>,
    /// What the comparisons came to.
    pub verdicts: Vec<Verdict>,
    /// How the run ended; `None` when it was killed or is still going on.
    pub end: Option<End>,
    /// Whether the last line was cut off; it was left out.
    pub torn: bool,
    /// Lines of a type that this version does not know, as they came.
    pub skipped: Vec<String>,
    /// Why lines before the last one could not be read, each with its number; they were left out.
    pub damaged: Vec<Error>,
}

impl Run {
    /// Reads the text of a whole file.
    ///
    /// # Errors
    ///
    /// [`Error::is_foreign`] for a file that is not a stored run, [`Error::is_incomplete`] for a
    /// run that was killed before its first line was written, [`Error::is_newer_schema`] for one
    /// that this version cannot read, [`Error::is_malformed`] for a damaged header.
    pub fn parse(text: &str) -> Result<Run, Error> {
        Run::parse_bytes(text.as_bytes())
    }

    /// As [`Run::parse`], from the bytes of a file: a write that was cut off may have left half a
    /// character at the end.
    ///
    /// # Errors
    ///
    /// As for [`Run::parse`].
    pub fn parse_bytes(bytes: &[u8]) -> Result<Run, Error> {
        let (first, mut rest) = split_line(bytes);
        let mut run = Run::new(read_header(first)?);
        let mut number = 1;
        while !rest.is_empty() {
            let line;
            (line, rest) = split_line(rest);
            number += 1;
            run.add(line, number)?;
        }
        Ok(run)
    }

    fn new(header: Header) -> Run {
        Run {
            header,
            cases: Vec::new(),
            visits: Vec::new(),
            memory: Vec::new(),
            faults: Vec::new(),
            results: Vec::new(),
            rounds: Vec::new(),
            verdicts: Vec::new(),
            end: None,
            torn: false,
            skipped: Vec::new(),
            damaged: Vec::new(),
        }
    }

    /// Takes a line in; only one of a newer schema is an error that stops the reading.
    fn add(&mut self, text: &[u8], number: usize) -> Result<(), Error> {
        let error = match decode(text) {
            Ok(line) => match self.sort(line) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            },
            Err(error) if error.is_newer_schema() => return Err(error.at_line(number)),
            Err(error) if error.is_unknown_type() => {
                let text = String::from_utf8_lossy(text.strip_suffix(b"\n").unwrap_or(text));
                self.skipped.push(text.into_owned());
                return Ok(());
            }
            Err(_) if is_cut(text) => {
                self.torn = true;
                return Ok(());
            }
            Err(error) => error,
        };
        self.damaged.push(error.at_line(number));
        Ok(())
    }

    fn sort(&mut self, line: Line) -> Result<(), Error> {
        match line {
            Line::Case(case) => self.cases.push(case),
            Line::Visit(visit) => self.visits.push(*visit),
            Line::Memory(memory) => self.memory.push(memory),
            Line::Fault(fault) => self.faults.push(fault),
            Line::Result(result) => self.results.push(result),
            Line::Rounds(rounds) => self.rounds.push(rounds),
            Line::Verdict(verdict) => self.verdicts.push(verdict),
            Line::End(end) if self.end.is_none() => self.end = Some(end),
            Line::Header(_) | Line::End(_) => {
                return Err(Error::malformed(format_args!("a second header or end"), 0));
            }
        }
        Ok(())
    }
}

fn decode(line: &[u8]) -> Result<Line, Error> {
    match str::from_utf8(line) {
        Ok(text) => Line::decode(text),
        Err(error) => Err(Error::no_text(error)),
    }
}

/// The first line, with its newline, and what follows it.
fn split_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut end = 0;
    while end < bytes.len() {
        end += 1;
        if bytes[end - 1] == b'\n' {
            break;
        }
    }
    bytes.split_at(end)
}
