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

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn as_the_standard_library_says() {
        for text in ["", "a", "ab", "aab", "p/t::a[n=1]", "größer"] {
            for part in ["", "a", "ab", "b", "n=1]", "ö", "p/t::a[n=1]x"] {
                assert_eq!(contains(text, part), text.contains(part), "{text} {part}");
            }
        }
    }
}
