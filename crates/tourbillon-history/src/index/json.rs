//! Files of JSON, each with the version of its form. No text in them has a NUL: PostgreSQL stores none.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Version of the forms.
pub(crate) const FORM: u32 = 1;

/// Reads a file that is `what`; `form` is its version.
pub(crate) fn parse<T: DeserializeOwned>(
    bytes: &[u8],
    what: &str,
    form: impl Fn(&T) -> u32,
) -> Result<T, String> {
    let text = str::from_utf8(bytes).map_err(|error| format!("not {what}: {error}"))?;
    let value: T =
        serde_json::from_str(&without_nul(text)).map_err(|error| format!("not {what}: {error}"))?;
    match form(&value) {
        ..=FORM => Ok(value),
        newer => Err(format!(
            "written in form {newer}, this version reads up to {FORM}; install a newer cargo-tourbillon"
        )),
    }
}

/// A value as JSON on one line. Its numbers are finite: JSON has them all.
pub(crate) fn text(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).unwrap_or_default() + "\n";
    without_nul(&text).into_owned()
}

/// A text of JSON as a value among others.
pub(crate) mod nested {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;

    pub(crate) fn serialize<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        value.serialize(to)
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<String, D::Error> {
        Ok(Value::deserialize(from)?.to_string())
    }
}

/// JSON with the replacement character in place of each NUL of its texts, which is always an escape.
fn without_nul(json: &str) -> Cow<'_, str> {
    const NUL: &str = "\\u0000";
    if !json.contains(NUL) {
        return Cow::Borrowed(json);
    }
    let (mut replaced, mut rest) = (String::with_capacity(json.len()), json);
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        replaced.push_str(before);
        if let Some(after) = escape.strip_prefix(NUL) {
            replaced.push('\u{fffd}');
            rest = after;
        } else {
            // An escaped backslash begins no other escape.
            let length = 1 + escape[1..].chars().next().map_or(0, char::len_utf8);
            replaced.push_str(&escape[..length]);
            rest = &escape[length..];
        }
    }
    replaced.push_str(rest);
    Cow::Owned(replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_has_a_nul() {
        // The last two are a backslash before letters, and one before a NUL.
        let texts = ["a\0b", "\0", "é\0", "plain", r"\u0000", "\\\0"];
        let expected = [
            "a\u{fffd}b",
            "\u{fffd}",
            "é\u{fffd}",
            "plain",
            r"\u0000",
            "\\\u{fffd}",
        ];
        let parsed = |json: &str| parse::<Vec<String>>(json.as_bytes(), "texts", |_| FORM);
        assert_eq!(
            parsed(&text(&texts)).as_deref(),
            Ok(&expected.map(str::to_owned)[..])
        );
        let foreign = serde_json::to_string(&texts).unwrap();
        assert_eq!(
            parsed(&foreign).as_deref(),
            Ok(&expected.map(str::to_owned)[..])
        );
    }
}
