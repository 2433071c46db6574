//! Words that are known.

/// The index of a word among these. One loop for all of them: `contains` would be compiled for each place.
pub(crate) fn index_of(word: &str, words: &[&str]) -> Option<usize> {
    for (index, known) in words.iter().enumerate() {
        if word == *known {
            return Some(index);
        }
    }
    None
}

/// Whether a word is one of these.
pub(crate) fn is_one_of(word: &str, words: &[&str]) -> bool {
    index_of(word, words).is_some()
}

/// `a`, `b`, `c` and so on in backticks, for a message.
pub(crate) fn listed(words: &[&str]) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        text.push_str(if index == 0 { "`" } else { ", `" });
        text.push_str(word);
        text.push('`');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn words_are_told_apart() {
        assert_eq!(listed(&[]), "");
        assert_eq!(listed(&["a"]), "`a`");
        assert_eq!(listed(&["a", "b"]), "`a`, `b`");
    }
}
