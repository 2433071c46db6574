use super::{Fields, FirstError};
use crate::json::{Value, Writer};
use crate::{Error, SCHEMA};

/// Starts a line of this type: `type` and `schema` come first.
pub(super) fn start(writer: &mut Writer, kind: &str) {
    writer.text("type", kind);
    writer.whole("schema", u64::from(SCHEMA));
}

/// The type of a line, given with or without its newline, and its other members.
///
/// # Errors
///
/// What is no JSON object, has no type, or a schema that cannot be read.
pub(super) fn open<'t, 'e>(
    text: &'t str,
    first_error: &'e FirstError,
) -> Result<(String, Fields<'t, 'e>), Error> {
    let text = text.strip_suffix("\n").unwrap_or(text);
    if let Some(offset) = text.bytes().position(|byte| byte == b'\n') {
        return Err(Error::malformed("a newline inside a line", offset));
    }
    let mut fields = Fields::of("line", Value::parse(text)?, first_error);
    let kind = fields.text("type");
    let schema = fields.whole("schema");
    if schema == 0 {
        fields.refuse("schema", "a schema from 1");
    } else if schema > u64::from(SCHEMA) {
        first_error.note(Error::newer_schema(schema));
    }
    first_error.check((kind, fields))
}
