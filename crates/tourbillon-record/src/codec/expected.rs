//! Lines of one type, read without code for the others: what bench binaries read of stored runs.

use super::{Fields, FirstError, envelope};
use crate::{CaseResult, Error, Header};

/// The header in this line; `None` if it is a line of another type.
///
/// # Errors
///
/// As for a line of any type: no JSON object, a schema or a member that cannot be read.
pub(crate) fn header(line: &[u8]) -> Result<Option<Header>, Error> {
    let first_error = FirstError::default();
    let fields = fields(line, "header", &first_error)?;
    first_error.check(fields.map(|mut fields| super::header::read(&mut fields)))
}

/// The result in this line; `None` if it is a line of another type.
///
/// # Errors
///
/// As for [`header`].
pub(crate) fn result(line: &[u8]) -> Result<Option<CaseResult>, Error> {
    let first_error = FirstError::default();
    let fields = fields(line, "result", &first_error)?;
    first_error.check(fields.map(|mut fields| super::result::read(&mut fields)))
}

#[inline(never)]
fn fields<'l, 'e>(
    line: &'l [u8],
    kind: &str,
    first_error: &'e FirstError,
) -> Result<Option<Fields<'l, 'e>>, Error> {
    let text =
        str::from_utf8(line).map_err(|error| Error::malformed("no UTF-8", error.valid_up_to()))?;
    let (found, fields) = envelope::open(text, first_error)?;
    Ok((found == kind).then_some(fields))
}
