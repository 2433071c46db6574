//! Words of commands that a reader copies into a shell.

use crate::escape::escape;

/// A word as a POSIX shell takes it, on one line and without a character that [`escape`] replaces.
///
/// A word that every such shell takes as it is stays as it is. Others are quoted: with control characters, invisible
/// ones, or without `unicode` any beyond ASCII, as in `$'a\nb'`, which dash before 0.5.13 does not know. Windows'
/// cmd.exe knows neither form of quotes: there a quoted word has to be typed again with double quotes.
///
/// # Examples
///
/// ```
/// use tourbillon_present::shell_word;
/// assert_eq!(shell_word("shop/sort::heap", true), "shop/sort::heap");
/// assert_eq!(shell_word("sort::heap[n=1]", true), "'sort::heap[n=1]'");
/// assert_eq!(shell_word("a\nb", true), r"$'a\nb'");
/// ```
pub fn shell_word(word: &str, unicode: bool) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/_-.:,+@%".contains(c);
    if escape(word, unicode) != word {
        let letters = word.chars().map(|letter| in_quotes(letter, unicode));
        return format!("$'{}'", letters.collect::<String>());
    }
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A word as [`shell_word`] gives it, for a program that takes it as no flag: after `--`, if it looks like one.
///
/// # Examples
///
/// ```
/// use tourbillon_present::shell_operand;
/// assert_eq!(shell_operand("sort::heap", true), "sort::heap");
/// assert_eq!(shell_operand("--store=x y", true), "-- '--store=x y'");
/// ```
pub fn shell_operand(word: &str, unicode: bool) -> String {
    let quoted = shell_word(word, unicode);
    if word.starts_with('-') {
        format!("-- {quoted}")
    } else {
        quoted
    }
}

/// A character between `$'` and `'`.
fn in_quotes(letter: char, unicode: bool) -> String {
    let text = letter.to_string();
    match letter {
        '\n' => r"\n".to_owned(),
        '\r' => r"\r".to_owned(),
        '\t' => r"\t".to_owned(),
        '\'' | '\\' => format!("\\{letter}"),
        _ if escape(&text, unicode) == text => text,
        // With all digits, so that a digit after it is one of its own.
        _ => text.bytes().map(|byte| format!("\\{byte:03o}")).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    const WORDS: [(&str, &str, &str); 12] = [
        ("", "''", "''"),
        ("sort/100", "sort/100", "sort/100"),
        ("shop/a::b-c_d.e", "shop/a::b-c_d.e", "shop/a::b-c_d.e"),
        ("a b", "'a b'", "'a b'"),
        ("[n=\"$1\"]", "'[n=\"$1\"]'", "'[n=\"$1\"]'"),
        ("it's", r"'it'\''s'", r"'it'\''s'"),
        (r"a\b", r"'a\b'", r"'a\b'"),
        ("排序", "排序", r"$'\346\216\222\345\272\217'"),
        ("a\nb\r\tc", r"$'a\nb\r\tc'", r"$'a\nb\r\tc'"),
        ("'\\\u{1b}7", r"$'\'\\\0337'", r"$'\'\\\0337'"),
        (
            "a\u{200b}ö",
            r"$'a\342\200\213ö'",
            r"$'a\342\200\213\303\266'",
        ),
        ("=a~", "'=a~'", "'=a~'"),
    ];

    #[test]
    fn words_are_quoted_where_they_must_be() {
        for (word, with_unicode, without) in WORDS {
            assert_eq!(shell_word(word, true), with_unicode);
            assert_eq!(shell_word(word, false), without);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn bash_reads_them_back() {
        let mut command = String::from("printf '%s\\0'");
        let mut expected = String::new();
        for (word, ..) in WORDS {
            for unicode in [true, false] {
                command += &format!(" {}", shell_word(word, unicode));
                expected += &format!("{word}\0");
            }
        }
        let output = std::process::Command::new("bash")
            .args(["-c", &command])
            .output();
        let output = output.expect("bash");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    }
}
