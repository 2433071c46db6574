//! A file of lines, some of which a crash may have cut off.

use crate::{Error, Header, codec};

/// Whether the writing of a line was cut off: its newline is missing.
pub(crate) fn is_cut(line: &[u8]) -> bool {
    !line.ends_with(b"\n")
}

/// The first line says what the file is.
///
/// # Errors
///
/// As for [`Results::parse`](crate::Results::parse).
#[inline(never)]
pub(crate) fn read_header(line: &[u8]) -> Result<Header, Error> {
    const START: &[u8] = br#"{"type":"header","#;
    let error = match codec::header(line) {
        Ok(Some(header)) => return Ok(header),
        Ok(None) => return Err(Error::foreign("its first line is no header")),
        Err(error) => error,
    };
    if error.is_newer_schema() {
        return Err(error.at_line(1));
    }
    let started = line.starts_with(START);
    // File systems fill with NUL what a crash kept from being written.
    let mut empty = true;
    for byte in line {
        empty &= *byte == 0;
    }
    if empty || (is_cut(line) && (started || START.starts_with(line))) {
        Err(Error::incomplete())
    } else if started {
        Err(error.at_line(1))
    } else {
        Err(Error::foreign("its first line is no header"))
    }
}
