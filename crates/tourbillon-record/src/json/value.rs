use std::borrow::Cow;

use super::grammar;
use super::text::{piece, unescaped};
use crate::Error;

/// A value in a text that follows the grammar: the piece of the text that it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'t> {
    json: &'t str,
    offset: usize,
}

/// What a [`Value`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Flag,
    /// Whole or not, of any size.
    Number,
    /// A text in quotes.
    Text,
    /// Values between square brackets.
    List,
    /// Names and values between braces.
    Object,
}

impl<'t> Value<'t> {
    /// The value that a text consists of, with white space around it.
    ///
    /// # Errors
    ///
    /// [`Error::is_malformed`] with the first place where the text does not follow the grammar, and
    /// for nesting deeper than 128 levels.
    #[inline(never)]
    pub(crate) fn parse(text: &'t str) -> Result<Value<'t>, Error> {
        grammar::check(text)?;
        let value = Items {
            text,
            at: 0,
            offset: 0,
        }
        .next();
        // The grammar asks for a value: there is one.
        value.ok_or_else(|| Error::malformed(format_args!("no valid JSON"), 0))
    }

    /// The value as it is written.
    pub(crate) fn json(self) -> &'t str {
        self.json
    }

    /// Where it starts, in bytes from the start of the whole text.
    pub(crate) fn offset(self) -> usize {
        self.offset
    }

    /// What it is: the first byte tells.
    #[inline(never)]
    pub(crate) fn kind(self) -> Kind {
        match self.json.as_bytes() {
            [b'n', ..] => Kind::Null,
            [b't' | b'f', ..] => Kind::Flag,
            [b'"', ..] => Kind::Text,
            [b'[', ..] => Kind::List,
            [b'{', ..] => Kind::Object,
            _ => Kind::Number,
        }
    }

    /// A text, escapes replaced.
    pub(crate) fn text(self) -> Option<Cow<'t, str>> {
        match self.kind() {
            Kind::Text => Some(unescaped(self.inner())),
            _ => None,
        }
    }

    /// Whether this is that text.
    #[inline(never)]
    pub(crate) fn is_text(self, wanted: &str) -> bool {
        match self.text() {
            Some(text) => text == wanted,
            None => false,
        }
    }

    /// A whole number from 0 to 2^64 - 1, written without fraction and exponent.
    pub(crate) fn whole(self) -> Option<u64> {
        whole(self.json.as_bytes())
    }

    /// A whole number of 32 bits, written without fraction and exponent.
    pub(crate) fn signed(self) -> Option<i32> {
        let (sign, digits) = match self.json.as_bytes() {
            [b'-', digits @ ..] => (-1, digits),
            digits => (1, digits),
        };
        let size = i64::try_from(whole(digits)?).ok()?;
        i32::try_from(sign * size).ok()
    }

    /// The number nearest to the one that is written; infinite where none is near.
    pub(crate) fn number(self) -> Option<f64> {
        match self.kind() {
            Kind::Number => self.json.parse().ok(),
            _ => None,
        }
    }

    /// Yes or no.
    pub(crate) fn flag(self) -> Option<bool> {
        match self.json {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// What stands in a list, in its order; in an object, the names and values in turns.
    ///
    /// Nothing, in a value of another kind.
    #[inline(never)]
    pub(crate) fn items(self) -> Items<'t> {
        let text = match self.kind() {
            Kind::List | Kind::Object => self.inner(),
            _ => "",
        };
        Items {
            text,
            at: 0,
            offset: self.offset + 1,
        }
    }

    /// Without the first and the last byte: quotes or brackets.
    fn inner(self) -> &'t str {
        piece(self.json, 1, self.json.len() - 1)
    }
}

/// The digits as a number, unless something else is among them or they are too many.
#[inline(never)]
fn whole(digits: &[u8]) -> Option<u64> {
    let mut whole = 0u64;
    for digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        whole = whole.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    Some(whole)
}

/// Values one after the other.
#[derive(Debug, Default)]
pub(crate) struct Items<'t> {
    text: &'t str,
    at: usize,
    /// Where `text` starts in the whole text.
    offset: usize,
}

impl<'t> Iterator for Items<'t> {
    type Item = Value<'t>;

    #[inline(never)]
    fn next(&mut self) -> Option<Value<'t>> {
        let bytes = self.text.as_bytes();
        let mut start = self.at;
        while start < bytes.len() && is_between(bytes[start]) {
            start += 1;
        }
        if start == bytes.len() {
            return None;
        }
        self.at = end(bytes, start);
        Some(Value {
            json: piece(self.text, start, self.at),
            offset: self.offset + start,
        })
    }
}

/// Whether this stands between two values. The grammar has seen to it that it is in its place.
fn is_between(byte: u8) -> bool {
    matches!(byte, b',' | b':' | b' ' | b'\t' | b'\r' | b'\n')
}

/// Where the value that starts here ends.
fn end(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut open) = (start, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = last_quote(bytes, at),
            b'[' | b'{' => open += 1,
            b']' | b'}' => open -= 1,
            _ => {
                // A word or a number goes on until something stands behind it.
                let more = bytes.get(at + 1);
                if open > 0 || more.is_some_and(|&byte| !is_between(byte)) {
                    at += 1;
                    continue;
                }
            }
        }
        at += 1;
        if open == 0 {
            break;
        }
    }
    at
}

/// Where the text that starts here has its closing quote.
fn last_quote(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

#[cfg(test)]
mod tests {
    use nojson::{JsonValueKind, RawJson, RawJsonValue};

    use super::*;

    fn parse(text: &str) -> Value<'_> {
        Value::parse(text).unwrap()
    }

    #[test]
    fn numbers_keep_what_is_written() {
        assert_eq!(parse("18446744073709551615").whole(), Some(u64::MAX));
        for text in ["18446744073709551616", "-1", "1.0", "1e3", "true", "\"1\""] {
            assert_eq!(parse(text).whole(), None, "{text}");
        }
        assert_eq!(parse("-2147483648").signed(), Some(i32::MIN));
        assert_eq!(parse("2147483647").signed(), Some(i32::MAX));
        for text in ["2147483648", "-2147483649", "18446744073709551615", "1.0"] {
            assert_eq!(parse(text).signed(), None, "{text}");
        }
        assert_eq!(
            parse("-0").number().map(f64::to_bits),
            Some((-0.0_f64).to_bits())
        );
        assert_eq!(parse("4.9e-324").number(), Some(5e-324));
        assert_eq!(parse("1e999").number(), Some(f64::INFINITY));
        assert_eq!(parse("null").number(), None);
    }

    #[test]
    fn items_are_pieces_of_the_text_with_their_places() {
        let text = r#" { "a" : [ 1,"]", {} ] ,"b\n":-2.5e3}"#;
        let found: Vec<_> = parse(text)
            .items()
            .map(|item| (item.json(), item.offset()))
            .collect();
        assert_eq!(
            found,
            [
                (r#""a""#, 3),
                (r#"[ 1,"]", {} ]"#, 9),
                (r#""b\n""#, 24),
                ("-2.5e3", 30),
            ]
        );
        let inner: Vec<_> = parse(text).items().nth(1).unwrap().items().collect();
        let inner: Vec<_> = inner
            .iter()
            .map(|item| (item.json(), item.offset()))
            .collect();
        assert_eq!(inner, [("1", 11), (r#""]""#, 13), ("{}", 18)]);
        for text in ["[]", "{ }", "1", "null", "\"[1]\""] {
            assert_eq!(parse(text).items().count(), 0, "{text}");
        }
    }

    /// Holds a value against what another reader makes of it, down to the last item.
    fn assert_same(ours: Value<'_>, other: RawJsonValue<'_, '_>) {
        assert_eq!(
            (ours.json(), ours.offset()),
            (other.as_raw_str(), other.position())
        );
        let others: Vec<RawJsonValue<'_, '_>> = match other.kind() {
            JsonValueKind::Null => {
                assert_eq!(ours.kind(), Kind::Null);
                Vec::new()
            }
            JsonValueKind::Boolean => {
                let flag: bool = other.try_into().unwrap();
                assert_eq!(ours.flag(), Some(flag));
                Vec::new()
            }
            JsonValueKind::Integer => {
                assert_eq!(ours.whole(), other.as_raw_str().parse().ok());
                assert_eq!(ours.signed(), other.as_raw_str().parse().ok());
                Vec::new()
            }
            JsonValueKind::Float => {
                assert_eq!((ours.kind(), ours.whole()), (Kind::Number, None));
                Vec::new()
            }
            JsonValueKind::String => {
                assert_eq!(ours.text(), other.to_unquoted_string_str().ok());
                Vec::new()
            }
            JsonValueKind::Array => {
                assert_eq!(ours.kind(), Kind::List);
                other.to_array().unwrap().collect()
            }
            JsonValueKind::Object => {
                assert_eq!(ours.kind(), Kind::Object);
                let members = other.to_object().unwrap();
                members.flat_map(|(name, value)| [name, value]).collect()
            }
        };
        let items: Vec<_> = ours.items().collect();
        assert_eq!(items.len(), others.len(), "{}", ours.json());
        for (ours, other) in items.into_iter().zip(others) {
            assert_same(ours, other);
        }
    }

    /// What is read of damaged lines, and where they are damaged, is what an independent reader says.
    #[test]
    fn mutated_lines_read_as_another_reader_reads_them() {
        const LINES: &str = include_str!("../../tests/golden/schema-1-run.jsonl");
        const PIECES: [&str; 28] = [
            "\"",
            "\\",
            "\\\\",
            "\\u00e9",
            "\\ud83e\\udd80",
            "\\ud83e",
            "\\x",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            " ",
            "\t",
            "0",
            "-",
            ".",
            "e",
            "E+",
            "7",
            "null",
            "true",
            "é",
            "🦀",
            "\u{1}",
            "{\"a\":[]}",
            "[1,-0.5e9]",
        ];
        let mut state = 1_u64;
        let mut below = |end: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % end
        };
        let (mut sound, mut flawed) = (0, 0);
        for round in 0..6_000 {
            let line = LINES.lines().nth(round % LINES.lines().count()).unwrap();
            let start = below(line.len());
            let mut text = line
                .get(start..(start + 1 + below(120)).min(line.len()))
                .unwrap()
                .to_owned();
            if round % 3 > 0 {
                text = line.to_owned();
            }
            for _ in 0..1 + below(2) {
                let mut at = below(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                text.insert_str(at, PIECES[below(PIECES.len())]);
            }
            match (Value::parse(&text), RawJson::parse(&text)) {
                (Ok(ours), Ok(other)) => {
                    assert_same(ours, other.value());
                    sound += 1;
                }
                (Err(_), Err(_)) => flawed += 1,
                (ours, other) => panic!("{text}: {ours:?}, {other:?}"),
            }
        }
        assert!(
            sound > 500 && flawed > 500,
            "{sound} sound, {flawed} flawed"
        );
    }
}
