use std::borrow::Cow;

use nojson::{JsonValueKind, RawJsonValue};

use crate::Error;

/// A JSON value that knows the name of the field it stands in, for messages.
#[derive(Clone, Copy)]
pub(super) struct Value<'t, 'r, 'n> {
    pub(super) name: &'n str,
    pub(super) json: RawJsonValue<'t, 'r>,
}

impl<'t, 'r> Value<'t, 'r, '_> {
    pub(super) fn text(self) -> Result<Cow<'t, str>, Error> {
        self.json
            .to_unquoted_string_str()
            .map_err(|_| self.not("a text"))
    }

    pub(super) fn whole(self) -> Result<u64, Error> {
        let digits = self
            .json
            .as_integer_str()
            .ok()
            .and_then(|digits| digits.parse().ok());
        digits.ok_or_else(|| self.not("a whole number from 0 to 2^64 - 1"))
    }

    pub(super) fn signed(self) -> Result<i32, Error> {
        let digits = self
            .json
            .as_integer_str()
            .ok()
            .and_then(|digits| digits.parse().ok());
        digits.ok_or_else(|| self.not("a whole number of 32 bits"))
    }

    /// A whole number in the range of its type.
    pub(super) fn whole_as<T: TryFrom<u64>>(self) -> Result<T, Error> {
        T::try_from(self.whole()?).map_err(|_| self.not("a whole number in the field's range"))
    }

    /// A number; `1e999`, which is valid JSON, is refused like everything that is not finite.
    pub(super) fn number(self) -> Result<f64, Error> {
        let digits = self
            .json
            .as_number_str()
            .ok()
            .and_then(|digits| digits.parse::<f64>().ok());
        digits
            .filter(|value| value.is_finite())
            .ok_or_else(|| self.not("a finite number"))
    }

    pub(super) fn flag(self) -> Result<bool, Error> {
        match self.json.as_boolean_str() {
            Ok(text) => Ok(text == "true"),
            Err(_) => Err(self.not("true or false")),
        }
    }

    pub(super) fn list(self) -> Result<impl Iterator<Item = Self>, Error> {
        let items = self.json.to_array().map_err(|_| self.not("a list"))?;
        Ok(items.map(move |json| Value { json, ..self }))
    }

    pub(super) fn texts(self) -> Result<Vec<String>, Error> {
        self.list()?
            .map(|item| item.text().map(Cow::into_owned))
            .collect()
    }

    pub(super) fn wholes<T: TryFrom<u64>>(self) -> Result<Vec<T>, Error> {
        self.list()?.map(Value::whole_as).collect()
    }

    pub(super) fn kind(self) -> JsonValueKind {
        self.json.kind()
    }

    /// The error of a value that is not what its field asks for.
    #[cold]
    pub(super) fn not(self, wanted: &str) -> Error {
        let found = shortened(self.json.as_raw_str());
        let what = format!(
            "field `{}` is {found}, where {wanted} is expected",
            self.name
        );
        Error::malformed(what, self.json.position())
    }
}

/// The start of a text, short enough for a message.
pub(super) fn shortened(text: &str) -> String {
    const LENGTH: usize = 40;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}
