//! Reading JSON: values as slices of the text.

use std::borrow::Cow;
use std::str::FromStr;

use crate::Error;
use crate::error::shortened;

/// Deepest nesting of objects and lists that is read: a hostile line must not overflow the stack.
/// What this version writes is three levels deep.
const DEPTH: usize = 128;

/// A value in a text that follows the grammar: the slice of the text that it is.
#[derive(Clone, Copy, Debug)]
pub struct Value<'t> {
    json: &'t str,
    offset: usize,
}

/// The type of a [`Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Flag,
    /// Whole or not, of any size.
    Number,
    /// In quotes.
    Text,
    /// In brackets.
    List,
    /// In braces.
    Object,
}

impl<'t> Value<'t> {
    /// The value that a text consists of, with white space around it.
    ///
    /// Stricter than the grammar in one place: an escaped half of a surrogate pair is no character
    /// and is refused.
    ///
    /// # Errors
    ///
    /// [`Error::is_malformed`] with the first byte that does not follow the grammar, and for nesting
    /// deeper than 128 levels.
    pub fn parse(text: &'t str) -> Result<Value<'t>, Error> {
        let mut scan = Scan::new(text);
        scan.space();
        let start = scan.at;
        let value = scan.value(0).map(|()| Value {
            json: &text[start..scan.at],
            offset: start,
        });
        if value.is_some() {
            scan.space();
        }
        let what = match value {
            Some(value) if scan.at == text.len() => return Ok(value),
            Some(_) => "something follows the JSON object",
            None if scan.too_deep => {
                "nesting depth exceeded: more than 128 objects and lists in each other"
            }
            None if scan.at == text.len() => "the line ends inside a JSON value",
            None => "not valid JSON",
        };
        Err(Error::malformed(what, scan.at))
    }

    /// The value as it is written.
    pub fn json(self) -> &'t str {
        self.json
    }

    /// Where it starts, in bytes from the start of the whole text.
    pub fn offset(self) -> usize {
        self.offset
    }

    /// Its type, which the first byte determines.
    pub fn kind(self) -> Kind {
        match self.json.as_bytes() {
            [b'n', ..] => Kind::Null,
            [b't' | b'f', ..] => Kind::Flag,
            [b'"', ..] => Kind::Text,
            [b'[', ..] => Kind::List,
            [b'{', ..] => Kind::Object,
            _ => Kind::Number,
        }
    }

    /// A text, escapes replaced; `None` for another type.
    pub fn text(self) -> Option<Cow<'t, str>> {
        (self.kind() == Kind::Text).then(|| unescaped(self.inner()))
    }

    /// A number or a flag in a type of Rust.
    ///
    /// # Errors
    ///
    /// When the field `name` holds something else than is `wanted`.
    pub fn parsed<T: FromStr>(self, name: &str, wanted: &str) -> Result<T, Error> {
        self.json.parse().map_err(|_| self.not(name, wanted))
    }

    /// The values of a list, or the names and values of an object in turn; none in other types.
    pub fn items(self) -> impl Iterator<Item = Value<'t>> {
        let text = match self.kind() {
            Kind::List | Kind::Object => self.inner(),
            _ => "",
        };
        let mut scan = Scan::new(text);
        std::iter::from_fn(move || {
            while matches!(scan.peek(), b',' | b':' | b' ' | b'\t' | b'\r' | b'\n') {
                scan.at += 1;
            }
            let start = scan.at;
            // The grammar was checked: there is a value, or nothing more.
            scan.value(0)?;
            Some(Value {
                json: &text[start..scan.at],
                offset: self.offset + 1 + start,
            })
        })
    }

    /// That the field `name` holds this value, but something else is wanted.
    #[cold]
    pub fn not(self, name: &str, wanted: &str) -> Error {
        let found = shortened(self.json);
        let what = format!("field `{name}` is {found}, where {wanted} is expected");
        Error::malformed(&what, self.offset)
    }

    /// Without the first and the last byte: quotes or brackets.
    fn inner(self) -> &'t str {
        &self.json[1..self.json.len() - 1]
    }
}

/// How far a text has been found to follow the grammar. Every rule is `None` where the text breaks
/// it; then `at` is the first byte that does.
struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    too_deep: bool,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Scan<'t> {
        Scan {
            bytes: text.as_bytes(),
            at: 0,
            too_deep: false,
        }
    }

    /// The next byte; NUL at the end, which no rule accepts.
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or_default()
    }

    fn take(&mut self, wanted: u8) -> Option<()> {
        (self.peek() == wanted).then(|| self.at += 1)
    }

    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        match self.peek() {
            b'"' => self.text(),
            b'{' => self.items(b'}', depth),
            b'[' => self.items(b']', depth),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.number(),
        }
    }

    /// The items of a list, or the members of an object, with their brackets.
    fn items(&mut self, close: u8, depth: usize) -> Option<()> {
        self.too_deep = depth == DEPTH;
        if self.too_deep {
            return None;
        }
        self.at += 1;
        self.space();
        if self.take(close).is_some() {
            return Some(());
        }
        loop {
            if close == b'}' {
                self.text()?;
                self.space();
                self.take(b':')?;
                self.space();
            }
            self.value(depth + 1)?;
            self.space();
            if self.take(b',').is_none() {
                return self.take(close);
            }
            self.space();
        }
    }

    fn text(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            match self.peek() {
                b'"' => return self.take(b'"'),
                b'\\' => self.at += escape(&self.bytes[self.at..])?.1,
                // The end as well.
                0..b' ' => return None,
                _ => self.at += 1,
            }
        }
    }

    fn word(&mut self, word: &str) -> Option<()> {
        word.bytes().try_for_each(|letter| self.take(letter))
    }

    fn number(&mut self) -> Option<()> {
        let _ = self.take(b'-');
        // No digit follows a zero: it would break whatever rule comes after a value.
        if self.take(b'0').is_none() {
            self.digits()?;
        }
        if self.take(b'.').is_some() {
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(())
    }

    /// One digit at least.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }
}

/// What is between the quotes of a text that follows the grammar, escapes replaced.
fn unescaped(inner: &str) -> Cow<'_, str> {
    let Some(mut at) = inner.find('\\') else {
        return Cow::Borrowed(inner);
    };
    let (mut text, mut rest) = (String::new(), inner);
    while let Some((character, length)) = escape(&rest.as_bytes()[at..]) {
        text.push_str(&rest[..at]);
        text.push(character);
        rest = &rest[at + length..];
        at = rest.find('\\').unwrap_or(rest.len());
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The character that the escape at the start of the bytes means, and the length of the escape in
/// bytes. A character outside the basic plane is a pair of them (RFC 8259, section 7).
fn escape(bytes: &[u8]) -> Option<(char, usize)> {
    let (b'\\', letter) = (*bytes.first()?, *bytes.get(1)?) else {
        return None;
    };
    let character = match letter {
        plain @ (b'"' | b'\\' | b'/') => char::from(plain),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return escaped_unit(bytes),
        _ => return None,
    };
    Some((character, 2))
}

fn escaped_unit(bytes: &[u8]) -> Option<(char, usize)> {
    let first = unit(bytes)?;
    if let Some(character) = char::from_u32(first.into()) {
        return Some((character, 6));
    }
    let pair = [first, unit(&bytes[6..])?];
    let character = char::decode_utf16(pair).next()?.ok()?;
    Some((character, 12))
}

/// The UTF-16 code unit of `\u` and four hexadecimal digits.
fn unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(unit << 4 | digit as u16)
    })
}
