use std::io::{self, BufRead, Read};

use crate::file::{is_cut, read_header};
use crate::{CaseResult, Error, Header, codec};

/// What the samples of a stored run amount to, and where that was.
///
/// For those who compare with an earlier run. The samples, which are nearly all of a file, are passed
/// over, and everything else that is no result; `Run` holds them too.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// What ran, where, and with which settings.
    pub header: Header,
    /// The results, in the order of the file.
    pub results: Vec<CaseResult>,
    /// Why results could not be read, each with its line; they were left out.
    pub damaged: Vec<Error>,
}

/// Bytes of the longest line of a record: twice what a coordinator takes from a worker.
pub const LONGEST_LINE: usize = 1 << 27;

impl Results {
    /// Reads the bytes of a whole file. A last line that was cut off is left out, as by
    /// `Run::parse`.
    ///
    /// # Errors
    ///
    /// [`Error::is_foreign`] for a file that is not a stored run, [`Error::is_incomplete`] for a
    /// run that was killed before its first line was written, [`Error::is_newer_schema`] for one
    /// that this version cannot read, [`Error::is_malformed`] for a damaged header.
    pub fn parse(mut bytes: &[u8]) -> Result<Results, Error> {
        match Results::read(&mut bytes) {
            Ok(read) => read,
            // Bytes in memory can always be read.
            Err(_) => Err(Error::incomplete()),
        }
    }

    /// Reads a file line by line, so that no more of it is in memory than its longest line and the
    /// results: samples may take a hundred megabytes.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or a line has more than [`LONGEST_LINE`] bytes; inside, as
    /// [`Results::parse`].
    #[inline(never)]
    pub fn read(file: &mut dyn BufRead) -> io::Result<Result<Results, Error>> {
        let mut line = Vec::new();
        next_line(file, &mut line)?;
        let mut read = match read_header(&line) {
            Ok(header) => Results {
                header,
                results: Vec::new(),
                damaged: Vec::new(),
            },
            Err(error) => return Ok(Err(error)),
        };
        let mut number = 1;
        loop {
            if next_line(file, &mut line)? == 0 {
                return Ok(Ok(read));
            }
            number += 1;
            if let Err(error) = read.add(&line, number) {
                return Ok(Err(error));
            }
        }
    }

    fn add(&mut self, line: &[u8], number: usize) -> Result<(), Error> {
        // `type` comes first on every line, and the writer puts no spaces. What has no type there is
        // damaged, or from elsewhere: it is looked at as well.
        let typed = line.starts_with(br#"{"type":""#);
        if typed && !line.starts_with(br#"{"type":"result","#) {
            return Ok(());
        }
        match codec::result(line, &mut self.results) {
            Ok(()) => {}
            Err(error) if error.is_newer_schema() => return Err(error.at_line(number)),
            Err(_) if is_cut(line) => {}
            Err(error) => self.damaged.push(error.at_line(number)),
        }
        Ok(())
    }
}

/// Reads the next line, with its line feed, in place of the last one. What has no end is no record: it
/// must not fill the memory.
#[inline(never)]
fn next_line(file: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    let mut limited = file.take(LONGEST_LINE as u64 + 1);
    let count = limited.read_until(b'\n', line)?;
    if count > LONGEST_LINE {
        let what = "a line of it is too long for a record";
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    Ok(count)
}
