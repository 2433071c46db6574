use super::text::escape;
use crate::Error;

/// Deepest nesting of objects and lists that is read: a hostile line must not cost the stack. What
/// this version writes is three levels deep.
const DEPTH: usize = 128;

/// Holds a text against the grammar: one value, with white space around it.
///
/// Stricter than the grammar in one place: an escaped half of a surrogate pair stands for no
/// character and is refused.
///
/// # Errors
///
/// [`Error::is_malformed`], with the place of the first byte that does not fit.
#[inline(never)]
pub(super) fn check(text: &str) -> Result<(), Error> {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        at: 0,
        too_deep: false,
    };
    let sound = scan.value(0);
    if sound && scan.at == scan.bytes.len() {
        return Ok(());
    }
    let what = if sound {
        "something follows the JSON object"
    } else if scan.too_deep {
        "nesting depth exceeded: more than 128 objects and lists in each other"
    } else if scan.at == scan.bytes.len() {
        "the line ends inside a JSON value"
    } else {
        "no valid JSON"
    };
    Err(Error::malformed(format_args!("{what}"), scan.at))
}

/// How far a text has been found sound. Every rule answers whether the text follows it; where one
/// does not, `at` stays at the flaw.
struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    too_deep: bool,
}

impl Scan<'_> {
    /// The next byte; at the end NUL, which no rule asks for.
    fn peek(&self) -> u8 {
        match self.bytes.get(self.at) {
            Some(&byte) => byte,
            None => 0,
        }
    }

    #[inline(never)]
    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == wanted;
        self.at += usize::from(found);
        found
    }

    #[inline(never)]
    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    #[inline(never)]
    fn value(&mut self, depth: usize) -> bool {
        self.space();
        let sound = match self.peek() {
            b'"' => self.text(),
            b'{' => self.items(b'}', depth),
            b'[' => self.items(b']', depth),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.number(),
        };
        if sound {
            self.space();
        }
        sound
    }

    /// What stands between brackets: the items of a list, or the members of an object.
    #[inline(never)]
    fn items(&mut self, close: u8, depth: usize) -> bool {
        if depth == DEPTH {
            self.too_deep = true;
            return false;
        }
        self.at += 1;
        self.space();
        if self.take(close) {
            return true;
        }
        loop {
            let named = close == b']' || self.name();
            if !named || !self.value(depth + 1) {
                return false;
            }
            if !self.take(b',') {
                return self.take(close);
            }
        }
    }

    fn name(&mut self) -> bool {
        self.space();
        if !self.text() {
            return false;
        }
        self.space();
        self.take(b':')
    }

    #[inline(never)]
    fn text(&mut self) -> bool {
        if !self.take(b'"') {
            return false;
        }
        loop {
            match self.peek() {
                b'"' => {
                    self.at += 1;
                    return true;
                }
                b'\\' => match escape(&self.bytes[self.at..]) {
                    Some((_, length)) => self.at += length,
                    None => return false,
                },
                // The end as well.
                0..b' ' => return false,
                _ => self.at += 1,
            }
        }
    }

    fn word(&mut self, word: &[u8]) -> bool {
        for &letter in word {
            if !self.take(letter) {
                return false;
            }
        }
        true
    }

    #[inline(never)]
    fn number(&mut self) -> bool {
        self.take(b'-');
        // A zero stands alone: digits after it do not fit whatever follows a value.
        if !self.take(b'0') && !self.digits() {
            return false;
        }
        if self.take(b'.') && !self.digits() {
            return false;
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            return self.digits();
        }
        true
    }

    /// One digit at least.
    #[inline(never)]
    fn digits(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        self.at > start
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn the_grammar_is_that_of_the_rfc() {
        let sound = [
            "0",
            "-0",
            "10.50e+07",
            "1E-3",
            " \t\r\n[ ] ",
            "{ \"\" : { } , \"a\":[1 , null,true,false] }",
            r#""\"\\\/\b\f\n\r\t\u00e9\uD83E\udd80""#,
            "\"\u{7f}\u{2028}é🦀\"",
        ];
        for text in sound {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let flawed = [
            ("01", 1),
            ("+1", 0),
            (".5", 0),
            ("1.", 2),
            ("1.e3", 2),
            ("1e", 2),
            ("1e+", 3),
            ("--1", 1),
            ("0x1", 1),
            ("NaN", 0),
            ("nul", 3),
            ("nulL", 3),
            ("truely", 4),
            ("[1,]", 3),
            ("[,1]", 1),
            ("[1 2]", 3),
            ("[1}", 2),
            ("{\"a\"}", 4),
            ("{\"a\":}", 5),
            ("{\"a\":1,}", 7),
            ("{a:1}", 1),
            ("{1:1}", 1),
            ("\"\n\"", 1),
            ("\"\u{0}\"", 1),
            (r#""\x""#, 1),
            (r#""\u00g0""#, 1),
            (r#""\ud800""#, 1),
            (r#""\ud800\u0041""#, 1),
            (r#""\ud83e\ud83e""#, 1),
            (r#""\ud83e\ue000""#, 1),
            (r#""\udd80\ud83e""#, 1),
            ("'a'", 0),
            ("1 // one", 2),
            ("\u{feff}1", 0),
            ("\u{a0}1", 0),
        ];
        for (text, place) in flawed {
            let error = check(text).unwrap_err();
            assert_eq!(error.offset(), Some(place), "{text}: {error}");
        }
    }

    #[test]
    fn nesting_is_read_up_to_its_bound() {
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(check(&nested(super::DEPTH)), Ok(()));
        let error = check(&nested(super::DEPTH + 1)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "nesting depth exceeded: more than 128 objects and lists in each other, at byte 128"
        );
    }
}
