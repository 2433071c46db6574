//! Pieces of the texts that the kernel shows in its files: ASCII, a few words on a line.
//!
//! By bytes and by hand: every bench binary is built with this crate, and the searches and splits of
//! `str` for any pattern are as much code as the rest of it.

/// What stands before the first `separator`, and what stands after it; the whole text and nothing
/// where there is none.
pub(crate) fn cut(text: &[u8], separator: u8) -> (&[u8], &[u8]) {
    let mut at = 0;
    while at < text.len() {
        if text[at] == separator {
            return (&text[..at], &text[at + 1..]);
        }
        at += 1;
    }
    (text, &[])
}

/// Whether one of the words that white space parts is this one.
pub(crate) fn has_word(text: &[u8], word: &[u8]) -> bool {
    let mut start = 0;
    for at in 0..text.len() {
        if text[at].is_ascii_whitespace() {
            if &text[start..at] == word {
                return true;
            }
            start = at + 1;
        }
    }
    &text[start..] == word
}

/// A number with exactly so many decimals, in units of the last one; with none, a whole number.
pub(crate) fn decimal(text: &[u8], places: usize) -> Option<u64> {
    let point = match places {
        0 => text.len(),
        _ => text.len().checked_sub(places + 1)?,
    };
    let mut number = 0_u64;
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'.' if at == point => {}
            byte @ b'0'..=b'9' if at != point => {
                let digit = u64::from(byte - b'0');
                number = number.checked_mul(10)?.checked_add(digit)?;
            }
            _ => return None,
        }
        at += 1;
    }
    // No digits at all are no number.
    if point == 0 { None } else { Some(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_the_first_separator() {
        assert_eq!(cut(b"a:b:c", b':'), (&b"a"[..], &b"b:c"[..]));
        assert_eq!(cut(b":", b':'), (&b""[..], &b""[..]));
        assert_eq!(cut(b"abc", b':'), (&b"abc"[..], &b""[..]));
    }

    #[test]
    fn only_whole_words_count() {
        for text in ["tsc", "tsc hpet\n", "hpet tsc", "\t hpet  tsc \n"] {
            assert!(has_word(text.as_bytes(), b"tsc"), "{text:?}");
        }
        for text in ["", " ", "tsc-early", "not_tsc", "ts c", "TSC"] {
            assert!(!has_word(text.as_bytes(), b"tsc"), "{text:?}");
        }
    }

    #[test]
    fn decimals_are_exactly_so_many() {
        assert_eq!(decimal(b"2596.106", 3), Some(2_596_106));
        assert_eq!(decimal(b"0.07", 2), Some(7));
        assert_eq!(decimal(b"18446744073709551615", 0), Some(u64::MAX));
        for text in [
            "", ".", ".5", "1", "1.", "1.25", "-1.5", "1.x", "1 .5", "1.5 ",
        ] {
            assert_eq!(decimal(text.as_bytes(), 1), None, "{text:?}");
        }
        for text in ["", "1.5", "+1", "18446744073709551616"] {
            assert_eq!(decimal(text.as_bytes(), 0), None, "{text:?}");
        }
    }
}
