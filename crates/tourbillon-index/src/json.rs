//! Files of JSON, each with the version of its form.

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
    let value: T = serde_json::from_slice(bytes).map_err(|error| format!("not {what}: {error}"))?;
    match form(&value) {
        ..=FORM => Ok(value),
        newer => Err(format!(
            "written in form {newer}, this version reads up to {FORM}; install a newer cargo-tourbillon"
        )),
    }
}

/// A value as JSON on one line. Its numbers are finite: JSON has them all.
pub(crate) fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}
