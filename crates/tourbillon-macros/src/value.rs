//! Options as they are written, and their values.

use proc_macro::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};

use crate::tokens::{Error, group, is, stream, tokens};

/// `name`, `name = value` or `name(list)`.
pub(crate) struct Entry<'a> {
    pub(crate) name: Ident,
    pub(crate) value: Value<'a>,
}

/// What follows an option's name.
pub(crate) enum Value<'a> {
    /// Nothing.
    None,
    /// `= tokens`.
    Is(&'a [TokenTree]),
    /// `(tokens)`.
    List(Vec<TokenTree>),
}

impl<'a> Entry<'a> {
    /// Reads one option.
    pub(crate) fn parse(part: &'a [TokenTree]) -> Result<Self, Error> {
        let Some((TokenTree::Ident(name), rest)) = part.split_first() else {
            let message = "an option is a word, as in launches = 20";
            return Err(Error::over(part, Span::call_site(), message));
        };
        let value = match rest {
            [] => Value::None,
            [equals] if is(Some(equals), '=') => {
                let message = format!("a value is missing: write {name} = ..");
                return Err(Error::at(equals.span(), message));
            }
            [equals, value @ ..] if is(Some(equals), '=') => Value::Is(value),
            [TokenTree::Group(list)] if list.delimiter() == Delimiter::Parenthesis => {
                Value::List(tokens(list.stream()))
            }
            _ => {
                let message = format!("`=` is missing: write {name} = ..");
                return Err(Error::over(rest, name.span(), message));
            }
        };
        Ok(Self {
            name: name.clone(),
            value,
        })
    }
}

/// The error for an option in another form than `form`.
pub(crate) fn takes(name: &Ident, form: &str) -> Error {
    Error::at(name.span(), format!("`{name}` is written {form}"))
}

/// The expression, unless it is seen to have no values.
pub(crate) fn values_of(name: &str, tokens: &[TokenTree]) -> Result<TokenStream, Error> {
    if let [only] = tokens
        && let Some(list) = group(Some(only), Delimiter::Bracket)
        && list.stream().is_empty()
    {
        let message = format!("the list is empty: write {name} = [1, 2]");
        return Err(Error::at(only.span(), message));
    }
    Ok(stream(tokens))
}

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
    let inner = written.strip_prefix('r').unwrap_or(&written);
    let inner = inner.trim_matches('#');
    Some(inner.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

/// A string literal that is not blank.
pub(crate) fn string(value: &[TokenTree], option: &str, name: Span) -> Result<Literal, Error> {
    if let Some(literal) = only(value)
        && let Some(text) = text(&literal)
    {
        if text.trim().is_empty() {
            return Err(Error::at(literal.span(), format!("`{option}` is empty")));
        }
        return Ok(literal);
    }
    let message = format!("`{option}` takes a string: write {option} = \"..\"");
    Err(Error::over(value, name, message))
}

/// A whole number from 1 to `most`, with underscores between its digits or not.
pub(crate) fn count(
    value: &[TokenTree],
    option: &str,
    most: u64,
    name: Span,
) -> Result<u64, Error> {
    let number = only(value).and_then(|literal| literal.to_string().replace('_', "").parse().ok());
    match number {
        Some(number) if (1..=most).contains(&number) => Ok(number),
        _ => {
            let message = format!("`{option}` takes a whole number from 1: write {option} = 20");
            Err(Error::over(value, name, message))
        }
    }
}
