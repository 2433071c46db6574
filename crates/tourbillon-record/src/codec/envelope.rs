use std::borrow::Cow;

use nojson::{JsonParseError, RawJson};

use super::{Fields, Value};
use crate::{Error, SCHEMA};

/// Parses one line, with or without its newline.
///
/// Nesting is bounded by the JSON library (128 levels), so a hostile line costs no stack.
pub(super) fn parse(text: &str) -> Result<RawJson<'_>, Error> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    if let Some(offset) = text.find('\n') {
        return Err(Error::malformed("a newline inside a line", offset));
    }
    RawJson::parse(text).map_err(|error| {
        let what = match &error {
            JsonParseError::UnexpectedEos { .. } => "the line ends inside a JSON value".to_owned(),
            JsonParseError::UnexpectedTrailingChar { .. } => {
                "something follows the JSON object".to_owned()
            }
            JsonParseError::UnexpectedValueChar { .. } => "no valid JSON".to_owned(),
            JsonParseError::InvalidValue { error, .. } => error.to_string(),
        };
        Error::malformed(what, error.position())
    })
}

/// The type of a line, and its members once the schema is known to be readable.
pub(super) fn open<'t, 'r>(json: &'r RawJson<'t>) -> Result<(Cow<'t, str>, Fields<'t, 'r>), Error> {
    let mut fields = Fields::of(Value {
        name: "line",
        json: json.value(),
    })?;
    let kind = fields.required("type")?.text()?;
    let schema = fields.required("schema")?;
    match schema.whole()? {
        0 => Err(schema.not("a schema from 1")),
        found if found > u64::from(SCHEMA) => Err(Error::newer_schema(found)),
        _ => Ok((kind, fields)),
    }
}
