use std::borrow::Cow;
use std::fmt::{self, Write};

/// What stands between the quotes of a text that the grammar has passed, escapes replaced.
pub(super) fn unescaped(inner: &str) -> Cow<'_, str> {
    let bytes = inner.as_bytes();
    let mut text = String::new();
    let (mut done, mut at) = (0, 0);
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        let Some((character, length)) = escape(&bytes[at..]) else {
            break;
        };
        push(&mut text, piece(inner, done, at));
        text.push(character);
        at += length;
        done = at;
    }
    if done == 0 {
        return Cow::Borrowed(inner);
    }
    push(&mut text, piece(inner, done, at));
    Cow::Owned(text)
}

/// The character for which the escape at the start stands, and the length of the escape in bytes.
/// A character outside the basic plane is a pair of them (RFC 8259, section 7).
#[inline(never)]
pub(super) fn escape(bytes: &[u8]) -> Option<(char, usize)> {
    let character = match *bytes.get(1)? {
        plain @ (b'"' | b'\\' | b'/') => char::from(plain),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unit_or_pair(bytes),
        _ => return None,
    };
    Some((character, 2))
}

fn unit_or_pair(bytes: &[u8]) -> Option<(char, usize)> {
    let first = unit(bytes)?;
    if first & 0xfc00 != 0xd800 {
        return Some((char::from_u32(first)?, 6));
    }
    let second = unit(&bytes[6..])?;
    if second & 0xfc00 != 0xdc00 {
        return None;
    }
    let scalar = 0x1_0000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
    Some((char::from_u32(scalar)?, 12))
}

/// The UTF-16 code unit of `\u` and four hexadecimal digits.
#[inline(never)]
fn unit(bytes: &[u8]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes else {
        return None;
    };
    let mut unit = 0;
    for &digit in digits.get(..4)? {
        unit = unit * 16 + char::from(digit).to_digit(16)?;
    }
    Some(unit)
}

/// Appends a text without its quotes. Escaped is what must be: quotes, backslashes and control
/// characters; everything else stands as it is, in UTF-8.
#[inline(never)]
pub(super) fn push_escaped(out: &mut String, text: &str) {
    let bytes = text.as_bytes();
    let (mut done, mut at) = (0, 0);
    while at < bytes.len() {
        let byte = bytes[at];
        if byte < b' ' || byte == b'"' || byte == b'\\' {
            push(out, piece(text, done, at));
            push_escape(out, byte);
            done = at + 1;
        }
        at += 1;
    }
    push(out, piece(text, done, at));
}

/// Appends a text; one function for all callers instead of the same code in each.
#[inline(never)]
pub(crate) fn push(out: &mut String, text: &str) {
    out.push_str(text);
}

/// Appends formatted text, for the same reason.
#[inline(never)]
pub(crate) fn put(out: &mut String, arguments: fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = out.write_fmt(arguments);
}

#[inline(never)]
fn push_escape(out: &mut String, byte: u8) {
    let short = match byte {
        b'"' => "\\\"",
        b'\\' => "\\\\",
        b'\n' => "\\n",
        b'\r' => "\\r",
        b'\t' => "\\t",
        _ => {
            put(out, format_args!("\\u{byte:04x}"));
            return;
        }
    };
    push(out, short);
}

/// A piece of a text, from a byte to another. Both are beside an ASCII character, where no other one
/// is cut; empty if one were.
#[inline(never)]
pub(super) fn piece(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        push_escaped(&mut out, text);
        out
    }

    #[test]
    fn escapes_stand_for_their_characters() {
        let inner = r#"\"\\\/\b\f\n\r\t \u00E9\u20ac \ud83e\uDD80\ud800\udc00 é"#;
        assert_eq!(unescaped(inner), "\"\\/\u{8}\u{c}\n\r\t é€ 🦀\u{10000} é");
        assert!(matches!(unescaped("é, plain"), Cow::Borrowed("é, plain")));
    }

    #[test]
    fn only_what_must_be_is_escaped() {
        assert_eq!(
            escaped("a\"\\/\n\r\t\0\u{1b}\u{1f}\u{7f}é🦀"),
            "a\\\"\\\\/\\n\\r\\t\\u0000\\u001b\\u001f\u{7f}é🦀"
        );
        assert_eq!(escaped(""), "");
    }

    #[test]
    fn every_character_comes_back() {
        for character in '\0'..=char::MAX {
            let text = format!("<{character}>");
            assert_eq!(unescaped(&escaped(&text)), text);
        }
    }
}
