//! A stored run, read line by line: everything, or header and results only.

use std::collections::HashSet;
use std::io::{self, BufRead, Read};

use crate::{
    Case, CaseResult, End, Error, Fault, Header, LaunchSamples, Line, Memory, Metric, Rounds,
    Stepped, Verdict,
};

/// A stored run, read as a whole.
///
/// Whole lines are kept. A last line that was cut off, because the run was killed while it was
/// written, is skipped and flagged; a damaged line elsewhere costs itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// What ran, where, and with which settings.
    pub header: Header,
    /// The cases that the run selected, in the order of the file.
    pub cases: Vec<Case>,
    /// The raw samples, in the order in which the launches happened.
    pub launches: Vec<LaunchSamples>,
    /// Those of a comparison of two builds, each of one of them.
    pub build_launches: Vec<LaunchSamples>,
    /// What memory launches counted, in the order in which they happened.
    pub memory: Vec<Memory>,
    /// What was counted instruction by instruction, in the order in which it happened.
    pub stepped: Vec<Stepped>,
    /// The launches that failed, in the order in which they happened.
    pub faults: Vec<Fault>,
    /// The results.
    pub results: Vec<CaseResult>,
    /// The raw samples of comparisons, in the order of the file.
    pub rounds: Vec<Rounds>,
    /// The results of comparisons.
    pub verdicts: Vec<Verdict>,
    /// How the run ended; `None` when it was killed or is still going on.
    pub end: Option<End>,
    /// Whether the last line was cut off; it was skipped.
    pub torn: bool,
    /// Lines of unknown types, as they are.
    pub skipped: Vec<String>,
    /// Why lines before the last one could not be read, each with its number; they were skipped.
    pub damaged: Vec<Error>,
}

impl Run {
    /// Reads the text of a whole file.
    ///
    /// # Errors
    ///
    /// [`Error::is_foreign`] for a file that is not a stored run, [`Error::is_incomplete`] for a run
    /// that was killed before its first line was written, [`Error::is_other_schema`] for one that this
    /// version cannot read, [`Error::is_malformed`] for a damaged header.
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
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let mut run = Run {
            header: header(lines.next().unwrap_or_default())?,
            ..Run::default()
        };
        let mut known = Known::default();
        for (number, line) in (2..).zip(lines) {
            run.add(line, number, &mut known)?;
        }
        Ok(run)
    }

    /// The whole lines that were read.
    pub fn lines(&self) -> usize {
        let known = [
            self.cases.len(),
            self.launches.len(),
            self.build_launches.len(),
            self.memory.len(),
            self.stepped.len(),
            self.faults.len(),
            self.results.len(),
            self.rounds.len(),
            self.verdicts.len(),
            self.skipped.len(),
            self.damaged.len(),
        ];
        1 + known.iter().sum::<usize>() + usize::from(self.end.is_some())
    }

    /// Adds a line; only one of a newer schema is an error that stops the reading.
    pub(crate) fn add(
        &mut self,
        text: &[u8],
        number: usize,
        known: &mut Known,
    ) -> Result<(), Error> {
        match decode(text).and_then(|line| known.add(line)) {
            Ok(Line::Case(case)) => self.cases.push(case),
            Ok(Line::Launch(launch)) if launch.arm.is_some() => self.build_launches.push(*launch),
            Ok(Line::Launch(launch)) => self.launches.push(*launch),
            Ok(Line::Memory(memory)) => self.memory.push(memory),
            Ok(Line::Stepped(stepped)) => self.stepped.push(stepped),
            Ok(Line::Fault(fault)) => self.faults.push(fault),
            Ok(Line::Result(result)) => self.results.push(result),
            Ok(Line::Rounds(rounds)) => self.rounds.push(rounds),
            Ok(Line::Verdict(verdict)) => self.verdicts.push(verdict),
            Ok(Line::End(end)) if self.end.is_none() => self.end = Some(end),
            Ok(Line::Header(_) | Line::End(_)) => {
                let error = Error::malformed("a second header or end", 0);
                self.damaged.push(error.at_line(number));
            }
            Err(error) if error.is_other_schema() => return Err(error.at_line(number)),
            Err(error) if error.is_unknown_type() => {
                let text = String::from_utf8_lossy(text);
                self.skipped.push(text.trim_end_matches('\n').to_owned());
            }
            Err(_) if is_cut(text) => self.torn = true,
            Err(error) => self.damaged.push(error.at_line(number)),
        }
        Ok(())
    }
}

/// What a run has once: cases, and results of a case for a metric. Readers would differ in which of two they show.
#[derive(Debug, Default)]
pub(crate) struct Known {
    cases: HashSet<String>,
    /// With the name of an own metric.
    results: HashSet<(String, Metric, String)>,
}

impl Known {
    /// Notes a line, unless the run has one in its place.
    fn add(&mut self, line: Line) -> Result<Line, Error> {
        let what = match &line {
            Line::Case(case) if !self.cases.insert(case.id.clone()) => "a second case of this id",
            Line::Result(result) => {
                let own = result.own.as_ref().map(|own| own.name.clone());
                let key = (result.case.clone(), result.metric, own.unwrap_or_default());
                if self.results.insert(key) {
                    return Ok(line);
                }
                "a second result of this case and metric"
            }
            _ => return Ok(line),
        };
        Err(Error::malformed(what, 0))
    }
}

/// Header, results and verdicts of a stored run, without the samples, which are nearly all of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// What ran, where, and with which settings.
    pub header: Header,
    /// The results, in the order of the file.
    pub results: Vec<CaseResult>,
    /// The verdicts, in the order of the file.
    pub verdicts: Vec<Verdict>,
    /// Why results could not be read, each with its line; they were skipped.
    pub damaged: Vec<Error>,
}

/// Prefix of the first line of a run.
pub(crate) const HEADER: &[u8] = br#"{"type":"header","#;

/// Bytes of the longest line of a record: twice what a coordinator takes from a worker.
pub const LONGEST_LINE: usize = 1 << 27;

impl Results {
    /// Reads the bytes of a whole file. A last line that was cut off is skipped, as by [`Run::parse`].
    ///
    /// # Errors
    ///
    /// As for [`Run::parse`].
    pub fn parse(mut bytes: &[u8]) -> Result<Results, Error> {
        // Bytes in memory can always be read.
        Results::read(&mut bytes).unwrap_or_else(|_| Err(Error::incomplete()))
    }

    /// Reads a file line by line: samples may take a hundred megabytes, of which no more is in memory
    /// than the longest line.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or a line has more than [`LONGEST_LINE`] bytes; inside, as for
    /// [`Run::parse`].
    pub fn read(file: &mut dyn BufRead) -> io::Result<Result<Results, Error>> {
        let mut line = Vec::new();
        next_line(file, &mut line)?;
        let mut read = match header(&line) {
            Ok(header) => Results {
                header,
                results: Vec::new(),
                verdicts: Vec::new(),
                damaged: Vec::new(),
            },
            Err(error) => return Ok(Err(error)),
        };
        let mut known = Known::default();
        let mut number = 1;
        while next_line(file, &mut line)? > 0 {
            number += 1;
            if let Err(error) = read.add(&line, number, &mut known) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(read))
    }

    fn add(&mut self, line: &[u8], number: usize, known: &mut Known) -> Result<(), Error> {
        // Writers put `type` first, without spaces. A line without is damaged, or foreign.
        let typed = line.starts_with(br#"{"type":""#);
        let wanted: [&[u8]; 2] = [br#"{"type":"result","#, br#"{"type":"verdict","#];
        if typed && !wanted.iter().any(|start| line.starts_with(start)) {
            return Ok(());
        }
        match decode(line).and_then(|line| known.add(line)) {
            Ok(Line::Result(result)) => self.results.push(result),
            Ok(Line::Verdict(verdict)) => self.verdicts.push(verdict),
            Ok(_) => {}
            Err(error) if error.is_other_schema() => return Err(error.at_line(number)),
            Err(_) if is_cut(line) => {}
            Err(error) => self.damaged.push(error.at_line(number)),
        }
        Ok(())
    }
}

/// Reads the next line, with its line feed, in place of the last one. A file without line ends is no
/// record: it must not fill the memory.
pub(crate) fn next_line(file: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    let mut limited = file.take(LONGEST_LINE as u64 + 1);
    let count = limited.read_until(b'\n', line)?;
    if count > LONGEST_LINE {
        let what = format!(
            "a line of it has more than {} MiB, the limit of a record",
            LONGEST_LINE >> 20
        );
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    Ok(count)
}

fn decode(line: &[u8]) -> Result<Line, Error> {
    Line::decode(str::from_utf8(line).map_err(Error::not_utf8)?)
}

/// Whether the writing of a line was cut off: its newline is missing.
fn is_cut(line: &[u8]) -> bool {
    !line.ends_with(b"\n")
}

/// The header in the first line of a file, or what the file is instead of a run.
pub(crate) fn header(line: &[u8]) -> Result<Header, Error> {
    let started = line.starts_with(HEADER);
    match decode(line) {
        Ok(Line::Header(header)) => Ok(header),
        Err(error) if error.is_other_schema() => Err(error.at_line(1)),
        // File systems fill with NUL what a crash kept from being written.
        _ if line.iter().all(|byte| *byte == 0) => Err(Error::incomplete()),
        _ if is_cut(line) && (started || HEADER.starts_with(line)) => Err(Error::incomplete()),
        Err(error) if started => Err(error.at_line(1)),
        _ => Err(Error::foreign()),
    }
}
