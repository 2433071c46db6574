//! What is done with texts in many places: functions that are not inlined.
//!
//! The standard library's are, with all that an allocation takes, wherever they are called, and this crate is
//! a part of every bench binary's build.

use std::fmt;

/// The text as one of its own.
#[inline(never)]
pub(crate) fn owned(text: &str) -> String {
    text.to_owned()
}

/// What `format!` makes of the same.
macro_rules! text {
    ($($part:tt)+) => {
        $crate::text::formatted(format_args!($($part)+))
    };
}
pub(crate) use text;

/// For [`text!`].
#[inline(never)]
pub(crate) fn formatted(arguments: fmt::Arguments<'_>) -> String {
    fmt::format(arguments)
}

/// What something says of itself, as `to_string` does.
#[inline(never)]
pub(crate) fn said(what: &dyn fmt::Display) -> String {
    text!("{what}")
}

/// Appends to a text.
#[inline(never)]
pub(crate) fn append(text: &mut String, part: &str) {
    text.push_str(part);
}

/// Words one behind the other, with `between` between them.
#[inline(never)]
pub(crate) fn listed(words: &[&str], between: &str) -> String {
    let mut text = String::new();
    let mut before = "";
    for word in words {
        append(&mut text, before);
        append(&mut text, word);
        before = between;
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
