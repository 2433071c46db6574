//! Axes, and those that are not parameters of the function but ways in which its `Bencher` measures:
//! `modes` and `threads`.

use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

use crate::tokens::{Angles, Error, at_commas, fill, group, tokens};
use crate::value::{Value, takes, values_of};

/// An axis and its values.
pub(crate) struct Axis {
    /// Name: that of the parameter, or of the method of the `Bencher` that takes a value.
    pub(crate) name: Ident,
    /// The expression whose items are the values.
    pub(crate) values: TokenStream,
    /// The option that asks for it, where the values are not arguments but ways of measuring.
    pub(crate) way: Option<&'static str>,
}

/// The names of the options that ask for ways of measuring.
pub(crate) const WAYS: [&str; 2] = ["modes", "threads"];

impl Axis {
    /// Reads `modes = [throughput, latency]` or `threads = [1, 2, 4]`: the axis has the name of the
    /// method of the `Bencher` that takes a value.
    pub(crate) fn of_way(name: &Ident, value: Value<'_>) -> Result<Axis, Error> {
        let (option, axis, values) = if name.to_string() == WAYS[0] {
            (WAYS[0], "mode", modes(name, value)?)
        } else {
            (WAYS[1], WAYS[1], threads(name, value)?)
        };
        Ok(Axis {
            name: Ident::new(axis, name.span()),
            values,
            way: Some(option),
        })
    }

    /// The place of the values; what is generated there still sees the template's variables.
    pub(crate) fn span(&self) -> Span {
        let first = self.values.clone().into_iter().next();
        let span = first.map_or_else(Span::call_site, |first| first.span());
        span.resolved_at(Span::mixed_site())
    }
}

/// Numbers of threads: any expression with a list of them. What is seen to be wrong is refused at once.
fn threads(name: &Ident, value: Value<'_>) -> Result<TokenStream, Error> {
    let values = match value {
        Value::Is([TokenTree::Literal(_)]) | Value::None | Value::List(_) => {
            return Err(takes(name, "threads = [1, 2, 4]"));
        }
        Value::Is(values) => values,
    };
    if let [list] = values
        && let Some(list) = group(Some(list), Delimiter::Bracket)
    {
        let zero = |token: &TokenTree| matches!(token, TokenTree::Literal(number) if number.to_string() == "0");
        if let Some(zero) = list.stream().into_iter().find(zero) {
            return Err(Error::at(zero.span(), "`threads` must be at least 1"));
        }
    }
    values_of(WAYS[1], values)
}

fn modes(name: &Ident, value: Value<'_>) -> Result<TokenStream, Error> {
    const UNKNOWN: &str = "a mode is `throughput` or `latency`";
    let refused = || takes(name, "modes = [throughput, latency]");
    let Value::Is([list]) = value else {
        return Err(refused());
    };
    let list = group(Some(list), Delimiter::Bracket).ok_or_else(refused)?;
    let mut modes: Vec<String> = Vec::new();
    for part in at_commas(&tokens(list.stream()), Angles::Expressions) {
        let [TokenTree::Ident(word)] = part else {
            return Err(Error::over(part, list.span(), UNKNOWN));
        };
        let mode = word.to_string();
        if !["throughput", "latency"].contains(&mode.as_str()) {
            return Err(Error::at(word.span(), UNKNOWN));
        }
        if modes.contains(&mode) {
            let message = format!("`{mode}` is given twice; keep one");
            return Err(Error::at(word.span(), message));
        }
        modes.push(mode);
    }
    if modes.is_empty() {
        return Err(refused());
    }
    Ok(fill(&format!("{modes:?}"), Span::mixed_site(), &[]))
}
