//! What generated code does with values of any type: names them, passes them to a benchmark, and looks for
//! an error in what it returns.
//!
//! A choice by trait without specialization: of the traits that have a method, lookup takes the one whose
//! type has the most references and whose bound holds, because it takes references off one by one. So
//! `(&&&Label(value)).label()` prefers `Display` to `Debug`, and `(&&&&Output(&value)).checked()` takes an
//! error by `Display`, by `Debug`, by its type, or finds that there is none.

use std::fmt::{Debug, Display};

use crate::bencher::Bencher;

/// A value to be named.
#[derive(Clone, Copy, Debug)]
pub struct Label<'a, T>(pub &'a T);

/// Names by `Display`: the first choice.
pub trait LabelByDisplay {
    /// The name.
    fn label(&self) -> String;
}

/// Names by `Debug`: the second choice.
pub trait LabelByDebug {
    /// The name.
    fn label(&self) -> String;
}

/// No name: an error of the compiler.
pub trait LabelMissing<T> {
    /// Never called: no type is `Shown`.
    fn label(&self) -> String
    where
        T: Shown;
}

/// The bound of [`LabelMissing`]; implemented by nothing.
#[diagnostic::on_unimplemented(
    message = "a value of `{Self}` cannot be shown in the name of a case",
    label = "neither `Display` nor `Debug`",
    note = "write #[derive(Debug)] on the type, or implement `Display`"
)]
pub trait Shown {}

impl<T: Display> LabelByDisplay for &&Label<'_, T> {
    fn label(&self) -> String {
        on_one_line(&self.0.to_string())
    }
}

impl<T: Debug> LabelByDebug for &Label<'_, T> {
    fn label(&self) -> String {
        on_one_line(&shortened(&format!("{:?}", self.0)))
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
fn on_one_line(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// What `Debug` writes, with structs as `Size(2, 3)` in place of `Size { width: 2, height: 3 }`.
fn shortened(debug: &str) -> String {
    let mut text = String::new();
    // For each open brace, whether it is that of a struct.
    let mut structs = Vec::new();
    let mut rest = debug;
    while let Some(c) = rest.chars().next() {
        if let Some(fields) = rest.strip_prefix(" { ") {
            text.push('(');
            structs.push(true);
            rest = after_name(fields);
        } else if let Some(after) = rest.strip_prefix(" }")
            && structs.last() == Some(&true)
        {
            text.push(')');
            structs.pop();
            rest = after;
        } else if let Some(field) = rest.strip_prefix(", ")
            && structs.last() == Some(&true)
        {
            text.push_str(", ");
            rest = after_name(field);
        } else {
            match c {
                '{' | '[' | '(' => structs.push(false),
                '}' | ']' | ')' => {
                    structs.pop();
                }
                _ => {}
            }
            let end = if matches!(c, '"' | '\'') {
                literal_length(rest, c)
            } else {
                c.len_utf8()
            };
            text.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    text
}

/// What follows `name: `.
fn after_name(field: &str) -> &str {
    match field.split_once(": ") {
        Some((name, value)) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => value,
        _ => field,
    }
}

/// The length of the literal that `text` begins with, in these quotes.
fn literal_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// The first parameter of a benchmark that has one more than axes.
#[diagnostic::on_unimplemented(
    message = "the first parameter of a benchmark is a `Bencher<'_>`, not `{Self}`",
    label = "write `Bencher<'_>` here, or give the parameter values",
    note = "values of parameters are written #[bench(args = [1, 2])]",
    note = "a `Bencher` is passed by value"
)]
pub trait FirstParameter<'a> {
    /// The parameter.
    fn of(bencher: Bencher<'a>) -> Self;
}

impl<'a> FirstParameter<'a> for Bencher<'a> {
    fn of(bencher: Bencher<'a>) -> Self {
        bencher
    }
}

/// The first parameter.
pub fn bencher<'a, B: FirstParameter<'a>>(bencher: Bencher<'a>) -> B {
    B::of(bencher)
}

/// A value for a benchmark without a `Bencher`.
#[diagnostic::on_unimplemented(
    message = "a benchmark without a `Bencher` gets a copy of its value for each call, but `{Self}` is not `Copy`",
    label = "values that are not `Copy`",
    note = "make the values references, or take a `Bencher<'_>` first and pass the body to its `iter`"
)]
pub trait CopiedValue: Copy {}

#[diagnostic::do_not_recommend]
impl<T: Copy> CopiedValue for T {}

/// A copy that is made outside of the timed region.
pub fn copied<T: CopiedValue>(value: &T) -> T {
    *value
}

/// What a benchmark or its body returned.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a, T>(pub &'a T);

/// A result whose error is shown by `Display`.
pub trait ErrorByDisplay {
    /// The text of the error, if there is one.
    fn checked(&self) -> Result<(), String>;
}

/// A result whose error is shown by `Debug`.
pub trait ErrorByDebug {
    /// The text of the error, if there is one.
    fn checked(&self) -> Result<(), String>;
}

/// A result whose error cannot be shown.
pub trait ErrorUnshown {
    /// The type of the error, if there is one.
    fn checked(&self) -> Result<(), String>;
}

/// Any other type.
pub trait NoError {
    /// `Ok`.
    fn checked(&self) -> Result<(), String>;
}

impl<T, E: Display> ErrorByDisplay for &&&Output<'_, Result<T, E>> {
    fn checked(&self) -> Result<(), String> {
        // The alternate form adds the causes, where an error type has it.
        let error = self.0.as_ref().err();
        error.map_or(Ok(()), |error| Err(format!("{error:#}")))
    }
}

impl<T, E: Debug> ErrorByDebug for &&Output<'_, Result<T, E>> {
    fn checked(&self) -> Result<(), String> {
        let error = self.0.as_ref().err();
        error.map_or(Ok(()), |error| Err(format!("{error:?}")))
    }
}

impl<T, E> ErrorUnshown for &Output<'_, Result<T, E>> {
    fn checked(&self) -> Result<(), String> {
        let kind = std::any::type_name::<E>();
        let shown = |_| Err(format!("an error of type {kind}, which cannot be shown"));
        self.0.as_ref().err().map_or(Ok(()), shown)
    }
}

impl<T> NoError for Output<'_, T> {
    fn checked(&self) -> Result<(), String> {
        Ok(())
    }
}

/// What a benchmark with a `Bencher` may return: its body's output went to the `Bencher`.
#[diagnostic::on_unimplemented(
    message = "a benchmark with a `Bencher` returns nothing or a `Result<(), E>`, not `{Self}`",
    label = "returns `{Self}`",
    note = "what the body computes is returned by the closure that the `Bencher` gets"
)]
pub trait BenchmarkEnd {}

impl BenchmarkEnd for () {}

impl<E> BenchmarkEnd for Result<(), E> {}

/// What a benchmark with a `Bencher` returned.
pub fn ended<R: BenchmarkEnd>(returned: R) -> R {
    returned
}

#[cfg(test)]
#[expect(
    clippy::needless_borrow,
    reason = "generated code has them for whatever the type"
)]
mod tests {
    use super::{
        ErrorByDebug as _, ErrorByDisplay as _, ErrorUnshown as _, Label, LabelByDebug as _,
        LabelByDisplay as _, NoError as _, Output, shortened,
    };

    #[derive(Debug)]
    struct Both;

    impl std::fmt::Display for Both {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("displayed")
        }
    }

    #[derive(Debug)]
    struct Debugged;

    struct Unshown;

    #[test]
    fn display_is_preferred_to_debug() {
        assert_eq!((&&&Label(&Both)).label(), "displayed");
        assert_eq!((&&&Label(&"plain")).label(), "plain");
        assert_eq!((&&&Label(&1.5)).label(), "1.5");
        assert_eq!((&&&Label(&Debugged)).label(), "Debugged");
        assert_eq!((&&&Label(&(1, "a"))).label(), "(1, \"a\")");
    }

    #[test]
    fn structs_have_short_names() {
        for (debug, expected) in [
            ("Size { width: 2, height: 3 }", "Size(2, 3)"),
            (
                "Job { size: Size { w: 2, h: 3 }, kind: Few(1, 2), name: \"a, b: }\" }",
                "Job(Size(2, 3), Few(1, 2), \"a, b: }\")",
            ),
            ("Open { a: 1, .. }", "Open(1, ..)"),
            (
                "Mark { sign: '\"', quote: \"\\\"\" }",
                "Mark('\"', \"\\\"\")",
            ),
            (
                "Maps { by: {\"a\": 1, \"b\": 2}, to: [3, 4] }",
                "Maps({\"a\": 1, \"b\": 2}, [3, 4])",
            ),
            ("{Kind: 1, Other: 2}", "{Kind: 1, Other: 2}"),
            ("Unit", "Unit"),
        ] {
            assert_eq!(shortened(debug), expected);
        }
    }

    #[test]
    fn a_label_is_one_line_without_control_characters() {
        let hostile = "a\nb\r\t\u{1b}[31m\0\u{7f}\u{9b}\u{2028}\u{e9}\u{1f980}\\";
        assert_eq!(
            (&&&Label(&hostile)).label(),
            "a\\nb\\r\\t\\u{1b}[31m\\u{0}\\u{7f}\\u{9b}\\u{2028}\u{e9}\u{1f980}\\"
        );
    }

    fn err<E>(error: E) -> Result<u8, E> {
        Err(error)
    }

    #[test]
    fn an_error_is_found_and_shown_as_well_as_its_type_allows() {
        assert_eq!((&&&&Output(&err("text"))).checked(), Err("text".to_owned()));
        assert_eq!(
            (&&&&Output(&err(Debugged))).checked(),
            Err("Debugged".to_owned())
        );
        let unshown = (&&&&Output(&err(Unshown))).checked();
        assert!(unshown.is_err_and(|text| text.contains("Unshown, which cannot be shown")));
    }

    #[test]
    fn other_outputs_are_fine() {
        assert_eq!((&&&&Output(&Ok::<u8, &str>(1))).checked(), Ok(()));
        assert_eq!((&&&&Output(&())).checked(), Ok(()));
        assert_eq!((&&&&Output(&None::<u8>)).checked(), Ok(()));
        assert_eq!((&&&&Output(&Unshown)).checked(), Ok(()));
    }
}
