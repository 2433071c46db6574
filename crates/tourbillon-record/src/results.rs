use crate::file::{is_cut, read_header, split_line};
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

impl Results {
    /// Reads the bytes of a whole file. A last line that was cut off is left out, as by
    /// `Run::parse`.
    ///
    /// # Errors
    ///
    /// [`Error::is_foreign`] for a file that is not a stored run, [`Error::is_incomplete`] for a
    /// run that was killed before its first line was written, [`Error::is_newer_schema`] for one
    /// that this version cannot read, [`Error::is_malformed`] for a damaged header.
    pub fn parse(bytes: &[u8]) -> Result<Results, Error> {
        let (first, rest) = split_line(bytes);
        let mut read = Results {
            header: read_header(first)?,
            results: Vec::new(),
            damaged: Vec::new(),
        };
        read.add(rest)?;
        Ok(read)
    }

    fn add(&mut self, mut rest: &[u8]) -> Result<(), Error> {
        let mut number = 1;
        while !rest.is_empty() {
            let line;
            (line, rest) = split_line(rest);
            number += 1;
            // `type` comes first on every line, and the writer puts no spaces. What has no type there is
            // damaged, or from elsewhere: it is looked at as well.
            let typed = line.starts_with(br#"{"type":""#);
            if typed && !line.starts_with(br#"{"type":"result","#) {
                continue;
            }
            match codec::result(line, &mut self.results) {
                Ok(()) => {}
                Err(error) if error.is_newer_schema() => return Err(error.at_line(number)),
                Err(_) if is_cut(line) => {}
                Err(error) => self.damaged.push(error.at_line(number)),
            }
        }
        Ok(())
    }
}
