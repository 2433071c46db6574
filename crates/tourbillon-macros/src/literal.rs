//! Literals as values of options.

use std::fmt::Display;
use std::str::FromStr;

use proc_macro::{Delimiter, Literal, Span, TokenTree};

use crate::error::Error;

/// The only token of `value`, if it is a literal.
pub(crate) fn only(value: &[TokenTree]) -> Option<Literal> {
    match value {
        [TokenTree::Literal(literal)] => Some(literal.clone()),
        // A macro that passes a literal on puts it into an invisible group.
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            only(&group.stream().into_iter().collect::<Vec<_>>())
        }
        _ => None,
    }
}

/// The text between the quotes of a string literal, escapes as they are written; `None` for any
/// other literal.
pub(crate) fn text(literal: &Literal) -> Option<String> {
    let written = literal.to_string();
    let raw = written
        .strip_prefix('r')
        .map(|rest| rest.trim_start_matches('#'));
    let open = raw.unwrap_or(&written).strip_prefix('"')?;
    let closed = if raw.is_some() {
        open.trim_end_matches('#')
    } else {
        open
    };
    closed.strip_suffix('"').map(str::to_owned)
}

/// A string literal with something in it.
pub(crate) fn string(value: &[TokenTree], option: &str, name: Span) -> Result<Literal, Error> {
    let literal = only(value).filter(|literal| text(literal).is_some());
    let Some(literal) = literal else {
        return Err(Error::over(
            value,
            name,
            format!("`{option}` takes a string: write {option} = \"..\""),
        ));
    };
    if text(&literal).is_some_and(|text| text.trim().is_empty()) {
        return Err(Error::at(literal.span(), format!("`{option}` is empty")));
    }
    Ok(literal)
}

/// A whole number from 1 that fits `T`.
pub(crate) fn count<T: FromStr + PartialOrd + From<u8> + Display>(
    value: &[TokenTree],
    option: &str,
    name: Span,
) -> Result<T, Error> {
    only(value)
        .and_then(|literal| literal.to_string().replace('_', "").parse::<T>().ok())
        .filter(|number| *number >= T::from(1))
        .ok_or_else(|| {
            let message = format!("`{option}` takes a whole number from 1: write {option} = 20");
            Error::over(value, name, message)
        })
}
