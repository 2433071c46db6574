//! Lines of one type, read without code for the others: what bench binaries read of stored runs.

use super::{Fields, envelope};
use crate::{CaseResult, Error, Header};

/// The header in this line; `None` if it is a line of another type.
///
/// # Errors
///
/// As for a line of any type: no JSON object, a schema or a member that cannot be read.
pub(crate) fn header(line: &[u8]) -> Result<Option<Header>, Error> {
    let mut header = None;
    read(line, "header", &mut |fields| {
        super::header::read(fields, header.insert(super::header::BLANK));
    })?;
    Ok(header)
}

/// Adds the result in this line, unless it is a line of another type.
///
/// # Errors
///
/// As for [`header`]; nothing is added.
pub(crate) fn result(line: &[u8], results: &mut Vec<CaseResult>) -> Result<(), Error> {
    let before = results.len();
    let read = read(line, "result", &mut |fields| {
        results.push(super::result::BLANK);
        if let Some(result) = results.last_mut() {
            super::result::read(fields, result);
        }
    });
    if read.is_err() {
        results.truncate(before);
    }
    read
}

/// Reads a line if it is of this type.
#[inline(never)]
fn read(line: &[u8], kind: &str, read: &mut dyn FnMut(&mut Fields<'_, '_>)) -> Result<(), Error> {
    let text = match str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => return Err(Error::no_text(error)),
    };
    envelope::open(text, &mut |found, fields| {
        if found.is_text(kind) {
            read(fields);
        }
    })
}
