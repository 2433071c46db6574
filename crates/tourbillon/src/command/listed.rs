/// Words one behind the other, with `between` between them.
///
/// The standard library's `join` is compiled anew, and at length, for each crate that uses it, and
/// this one is a part of every bench binary's build.
pub(crate) fn listed(words: &[&str], between: &str) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            text.push_str(between);
        }
        text.push_str(word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn nothing_stands_before_the_first_or_after_the_last() {
        assert_eq!(listed(&[], ", "), "");
        assert_eq!(listed(&["a"], ", "), "a");
        assert_eq!(listed(&["", "b", ""], ", "), ", b, ");
    }
}
