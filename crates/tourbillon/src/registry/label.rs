//! How the values of an axis are shown: by `Display`, else by `Debug`.
//!
//! Generated code calls `(&&&Label(value)).label()`. Method lookup takes references off one by one,
//! so the trait for more references wins where its bound holds; that is how a choice by trait is
//! made without specialization.

use std::fmt::{Debug, Display};

use crate::text::{append, text};

/// A value that is to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Label<'a, T>(pub &'a T);

/// First choice.
pub trait LabelByDisplay {
    /// The value as it is shown.
    fn label(&self) -> String;
}

/// Second choice.
pub trait LabelByDebug {
    /// The value as it is shown.
    fn label(&self) -> String;
}

/// No choice: a message of the compiler.
pub trait LabelMissing<T> {
    /// Never called: no type is `Shown` this way.
    fn label(&self) -> String
    where
        T: Shown;
}

/// What [`LabelMissing`] asks for; implemented by nothing.
#[diagnostic::on_unimplemented(
    message = "a value of `{Self}` cannot be shown in the name of a case",
    label = "neither `Display` nor `Debug`",
    note = "write #[derive(Debug)] on the type, or implement `Display`"
)]
pub trait Shown {}

impl<T: Display> LabelByDisplay for &&Label<'_, T> {
    // One copy for each type of values: inlined, it would be one for each axis of each function.
    #[inline(never)]
    fn label(&self) -> String {
        on_one_line(format_args!("{}", self.0))
    }
}

impl<T: Debug> LabelByDebug for &Label<'_, T> {
    #[inline(never)]
    fn label(&self) -> String {
        on_one_line(format_args!("{:?}", self.0))
    }
}

impl<T> LabelMissing<T> for Label<'_, T> {
    fn label(&self) -> String
    where
        T: Shown,
    {
        String::new()
    }
}

/// The text with control characters escaped: a case is a line in lists and on the terminal.
fn on_one_line(text: std::fmt::Arguments<'_>) -> String {
    let mut written = String::new();
    // Writing to a string does not fail; a `Display` that does leaves what it wrote so far.
    let _ = std::fmt::write(&mut written, text);
    let mut line = String::new();
    let mut rest = written.as_str();
    while let Some(character) = rest.chars().next() {
        let (this, others) = rest.split_at(character.len_utf8());
        rest = others;
        match character {
            '\t' => append(&mut line, "\\t"),
            '\r' => append(&mut line, "\\r"),
            '\n' => append(&mut line, "\\n"),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                append(&mut line, &text!("\\u{{{:x}}}", u32::from(character)));
            }
            _ => append(&mut line, this),
        }
    }
    line
}

#[cfg(test)]
#[expect(
    clippy::needless_borrow,
    reason = "generated code has them for whatever the type"
)]
mod tests {
    use super::{Label, LabelByDebug as _, LabelByDisplay as _};

    #[derive(Debug)]
    enum Kind {
        Random,
    }

    #[derive(Debug)]
    struct Both;

    impl std::fmt::Display for Both {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("displayed")
        }
    }

    #[test]
    fn display_is_preferred_to_debug() {
        assert_eq!((&&&Label(&Both)).label(), "displayed");
        assert_eq!((&&&Label(&"plain")).label(), "plain");
        assert_eq!((&&&Label(&1.5)).label(), "1.5");
        assert_eq!((&&&Label(&Kind::Random)).label(), "Random");
        assert_eq!((&&&Label(&(1, "a"))).label(), "(1, \"a\")");
    }

    #[test]
    fn a_label_is_one_line_without_control_characters() {
        let hostile = "a\nb\r\t\u{1b}[31m\0\u{7f}\u{9b}\u{2028}\u{e9}\u{1f980}\\";
        assert_eq!(
            (&&&Label(&hostile)).label(),
            "a\\nb\\r\\t\\u{1b}[31m\\u{0}\\u{7f}\\u{9b}\\u{2028}\u{e9}\u{1f980}\\"
        );
    }
}
