//! Literals as values of options.

use proc_macro::{Delimiter, Literal, Span, TokenTree};

use crate::error::Error;
use crate::split::tokens;

/// The only token of `value`, if it is a literal.
pub(crate) fn only(value: &[TokenTree]) -> Option<Literal> {
    match value {
        [TokenTree::Literal(literal)] => Some(literal.clone()),
        // A macro that passes a literal on puts it into an invisible group.
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            only(&tokens(group.stream()))
        }
        _ => None,
    }
}

/// The text between the quotes of a string literal, escapes as they are written; `None` for any
/// other literal.
pub(crate) fn text(literal: &Literal) -> Option<String> {
    let written = literal.to_string();
    let mut inner = written.as_str();
    if let Some(raw) = inner.strip_prefix("r") {
        inner = raw;
        while let Some(less) = inner.strip_prefix("#") {
            inner = less.strip_suffix("#")?;
        }
    }
    let closed = inner.strip_prefix("\"")?.strip_suffix("\"")?;
    Some(closed.to_owned())
}

/// A string literal with something in it.
pub(crate) fn string(value: &[TokenTree], option: &str, name: Span) -> Result<Literal, Error> {
    if let Some(literal) = only(value)
        && let Some(text) = text(&literal)
    {
        if text.trim_ascii().is_empty() {
            return Err(Error::at(literal.span(), format!("`{option}` is empty")));
        }
        return Ok(literal);
    }
    let message = format!("`{option}` takes a string: write {option} = \"..\"");
    Err(Error::over(value, name, message))
}

/// A whole number from 1 to `most`.
pub(crate) fn count(
    value: &[TokenTree],
    option: &str,
    most: u64,
    name: Span,
) -> Result<u64, Error> {
    if let Some(literal) = only(value)
        && let Some(number @ 1..) = whole(&literal.to_string())
        && number <= most
    {
        return Ok(number);
    }
    let message = format!("`{option}` takes a whole number from 1: write {option} = 20");
    Err(Error::over(value, name, message))
}

/// A number in decimal digits, with underscores between them or not.
fn whole(written: &str) -> Option<u64> {
    let mut number = 0_u64;
    let mut digits = 0;
    for byte in written.bytes() {
        if byte != b'_' {
            let digit = char::from(byte).to_digit(10)?;
            number = number.checked_mul(10)?.checked_add(u64::from(digit))?;
            digits += 1;
        }
    }
    (digits > 0).then_some(number)
}
