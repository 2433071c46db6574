//! Axes that are no parameters of the function but ways in which its `Bencher` measures:
//! `modes` and `threads`.

use std::mem::replace;

use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

use crate::axes::Axis;
use crate::error::Error;
use crate::listed::index_of;
use crate::options::{Value, takes, values_of};
use crate::split::{Angles, at_commas, group, tokens};
use crate::template::fill;

/// The options' names.
pub(crate) const WORDS: [&str; 2] = ["modes", "threads"];

const MODES: [&str; 2] = ["throughput", "latency"];

/// Reads `modes = [throughput, latency]` or `threads = [1, 2, 4]`: an axis that is called like the method
/// of the `Bencher` that takes a value.
pub(crate) fn ways(name: &Ident, value: Value<'_>) -> Result<Axis, Error> {
    let (option, axis, values) = if name.to_string() == WORDS[0] {
        (WORDS[0], "mode", modes(name, value)?)
    } else {
        (WORDS[1], WORDS[1], threads(name, value)?)
    };
    Ok(Axis {
        name: Ident::new(axis, name.span()),
        values,
        way: Some(option),
    })
}

/// Numbers of threads: any expression with a list of them; what is seen to be wrong is told at once.
fn threads(name: &Ident, value: Value<'_>) -> Result<TokenStream, Error> {
    let refused = || takes(name, "threads = [1, 2, 4]");
    let Value::Is(values) = value else {
        return Err(refused());
    };
    if let [TokenTree::Literal(_)] = values {
        return Err(refused());
    }
    if let [list] = values
        && let Some(list) = group(Some(list), Delimiter::Bracket)
    {
        for token in &tokens(list.stream()) {
            if matches!(token, TokenTree::Literal(number) if number.to_string() == "0") {
                return Err(Error::at(token.span(), "one thread is the least"));
            }
        }
    }
    values_of(WORDS[1], values)
}

const UNKNOWN: &str = "a mode is `throughput` or `latency`";

fn modes(name: &Ident, value: Value<'_>) -> Result<TokenStream, Error> {
    let refused = || takes(name, "modes = [throughput, latency]");
    let Value::Is([list]) = value else {
        return Err(refused());
    };
    let Some(list) = group(Some(list), Delimiter::Bracket) else {
        return Err(refused());
    };
    let mut values = String::new();
    let mut seen = [false; MODES.len()];
    for part in &at_commas(&tokens(list.stream()), Angles::Expressions) {
        let [TokenTree::Ident(word)] = part else {
            return Err(Error::over(part, list.span(), UNKNOWN));
        };
        let mode = word.to_string();
        let Some(index) = index_of(&mode, &MODES) else {
            return Err(Error::at(word.span(), UNKNOWN));
        };
        if replace(&mut seen[index], true) {
            let message = format!("`{mode}` is there already; keep one");
            return Err(Error::at(word.span(), message));
        }
        values.push_str(&format!("{mode:?},"));
    }
    if values.is_empty() {
        return Err(refused());
    }
    Ok(fill(&format!("[{values}]"), Span::mixed_site(), &[]))
}
