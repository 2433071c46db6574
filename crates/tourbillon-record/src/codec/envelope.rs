use super::{Fields, FirstError};
use crate::json::{Value, Writer};
use crate::{Error, SCHEMA};

/// Starts a line of this type: `type` and `schema` come first.
pub(super) fn start(writer: &mut Writer, kind: &str) {
    writer.text("type", kind);
    writer.whole("schema", u64::from(SCHEMA));
}

/// Reads a line, given with or without its newline: its type, and its other members.
///
/// # Errors
///
/// What is no JSON object, has no type, or a schema that cannot be read; what is wrong with a member.
#[inline(never)]
pub(super) fn open(
    text: &str,
    read: &mut dyn FnMut(Value<'_>, &mut Fields<'_, '_>),
) -> Result<(), Error> {
    let text = text.strip_suffix("\n").unwrap_or(text);
    if let Some(offset) = newline(text.as_bytes()) {
        let what = format_args!("a newline inside a line");
        return Err(Error::malformed(what, offset));
    }
    let first_error = FirstError::default();
    let mut fields = Fields::of(Value::parse(text)?, &first_error);
    let kind = fields.word("type");
    let schema = fields.whole("schema");
    if schema == 0 {
        fields.refuse("schema", "a schema from 1");
    } else if schema > u64::from(SCHEMA) {
        first_error.note(Error::newer_schema(schema));
    }
    if let Some(kind) = kind
        && first_error.is_none()
    {
        read(kind, &mut fields);
    }
    first_error.check()
}

fn newline(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() && bytes[at] != b'\n' {
        at += 1;
    }
    (at < bytes.len()).then_some(at)
}
