//! What is looked for in texts.

/// Whether `text` contains `part`.
///
/// The standard library's search is made for long texts and compiled anew, at length, for each crate
/// that uses it; this one is a part of every bench binary's build, and its texts are short.
#[inline(never)]
pub(crate) fn contains(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let mut from = text;
    while from.len() >= part.len() {
        if from.starts_with(part) {
            return true;
        }
        match from.split_first() {
            Some((_, rest)) => from = rest,
            None => return false,
        }
    }
    false
}

/// Whether one of the words is `wanted`; not inlined for the same reason.
#[inline(never)]
pub(crate) fn among(words: &[String], wanted: &str) -> bool {
    for word in words {
        if word == wanted {
            return true;
        }
    }
    false
}

/// Whether a text has no other characters than hexadecimal digits.
#[inline(never)]
pub(crate) fn is_hexadecimal(text: &str) -> bool {
    for byte in text.as_bytes() {
        if !byte.is_ascii_hexdigit() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{among, contains, is_hexadecimal};

    #[test]
    fn words_and_digits() {
        let words = ["a".to_owned(), "bc".to_owned()];
        assert!(among(&words, "bc"));
        assert!(!among(&words, "b"));
        assert!(is_hexadecimal("09afAF"));
        assert!(!is_hexadecimal("0g"));
    }

    #[test]
    fn as_the_standard_library_says() {
        for text in ["", "a", "ab", "aab", "p/t::a[n=1]", "größer"] {
            for part in ["", "a", "ab", "b", "n=1]", "ö", "p/t::a[n=1]x"] {
                assert_eq!(contains(text, part), text.contains(part), "{text} {part}");
            }
        }
    }
}
