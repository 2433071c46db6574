//! What stands in the parentheses of the attribute.

use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

use crate::error::Error;
use crate::listed::listed;
use crate::nearest::nearest;
use crate::setting;
use crate::split::{self, Angles, at_commas, flatten, group, is, stream};
use crate::ways::{self, Ways, ways};

/// Options that decide how the function is called; the others are settings of its cases.
const CALLS: [&str; 3] = ["args", "types", "crate"];

/// The options of one use of the attribute.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// `args`.
    pub(crate) args: Args,
    /// The types of `types`, one after the other.
    pub(crate) types: Option<Types>,
    /// `modes`.
    pub(crate) ways: Vec<Ways>,
    /// `crate`: a path.
    pub(crate) path: Option<TokenStream>,
    /// Calls such as `.launches(20)` that make the settings what they were asked to be.
    pub(crate) settings: TokenStream,
}

/// Values of the function's parameters.
#[derive(Debug, Default)]
pub(crate) enum Args {
    /// No `args`.
    #[default]
    Absent,
    /// `args = VALUES`, with the place of the word.
    Only(Span, TokenStream),
    /// `args(name = VALUES, ..)`.
    Named(Vec<(Ident, TokenStream)>),
}

/// Types for the function's type parameter.
#[derive(Debug)]
pub(crate) struct Types {
    /// Where the option stands.
    pub(crate) at: Span,
    /// The tokens of each type.
    pub(crate) list: Vec<Vec<TokenTree>>,
}

/// `name`, `name = value` or `name(list)`.
struct Entry<'a> {
    name: Ident,
    value: Value<'a>,
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

impl Options {
    /// Reads the attribute's tokens.
    pub(crate) fn parse(attribute: TokenStream) -> Result<Self, Error> {
        let tokens = split::tokens(attribute);
        let mut options = Self::default();
        let mut seen: Vec<String> = Vec::new();
        let mut settings = setting::Settings::default();
        for part in at_commas(&tokens, Angles::Expressions) {
            let Entry { name, value } = entry(part)?;
            let word = name.to_string();
            if seen.contains(&word) {
                return Err(Error::at(
                    name.span(),
                    format!("`{word}` is given twice; keep one"),
                ));
            }
            match word.as_str() {
                "args" => options.args = args(&name, value)?,
                "types" => options.types = Some(types(&name, value)?),
                "crate" => match value {
                    Value::Is(path) => options.path = Some(stream(path)),
                    _ => return Err(takes(&name, "crate = path::of::tourbillon")),
                },
                word if setting::WORDS.contains(&word) => settings.add(&name, value)?,
                word if ways::WORDS.contains(&word) => options.ways.push(ways(&name, value)?),
                _ => return Err(unknown(&name)),
            }
            seen.push(word);
        }
        options.settings = settings.finish()?;
        Ok(options)
    }
}

/// The error for an option that was given in another form than `form`.
pub(crate) fn takes(name: &Ident, form: &str) -> Error {
    Error::at(name.span(), format!("`{name}` is written {form}"))
}

fn unknown(name: &Ident) -> Error {
    let word = name.to_string();
    let mut known = CALLS.to_vec();
    known.extend_from_slice(&ways::WORDS);
    known.extend_from_slice(&setting::WORDS);
    let message = match nearest(&word, &known) {
        Some(meant) => format!("unknown option `{word}`; did you mean `{meant}`?"),
        None => format!("unknown option `{word}`; there are {}", listed(&known)),
    };
    Error::at(name.span(), message)
}

fn entry(part: &[TokenTree]) -> Result<Entry<'_>, Error> {
    let Some((TokenTree::Ident(name), rest)) = part.split_first() else {
        let message = "an option is a word, as in launches = 20";
        return Err(Error::over(part, Span::call_site(), message));
    };
    let value = match rest.split_first() {
        None => Value::None,
        Some((equals, [])) if is(Some(equals), '=') => {
            let message = format!("a value is missing: write {name} = ..");
            return Err(Error::at(equals.span(), message));
        }
        Some((equals, value)) if is(Some(equals), '=') => Value::Is(value),
        Some((list, [])) if let Some(list) = group(Some(list), Delimiter::Parenthesis) => {
            Value::List(split::tokens(list.stream()))
        }
        Some(_) => {
            let message = format!("`=` is missing: write {name} = ..");
            return Err(Error::over(rest, name.span(), message));
        }
    };
    Ok(Entry {
        name: name.clone(),
        value,
    })
}

fn args(name: &Ident, value: Value<'_>) -> Result<Args, Error> {
    match value {
        Value::None => Err(takes(
            name,
            "args = [1, 2], or args(size = [1, 2], kind = [\"a\", \"b\"])",
        )),
        Value::Is(values) => Ok(Args::Only(name.span(), values_of("args", values)?)),
        Value::List(list) => {
            let mut axes: Vec<(Ident, TokenStream)> = Vec::new();
            for part in at_commas(&list, Angles::Expressions) {
                let Entry {
                    name: axis,
                    value: Value::Is(values),
                } = entry(part)?
                else {
                    return Err(Error::over(
                        part,
                        name.span(),
                        format!("write {} = VALUES here", part[0]),
                    ));
                };
                if axes
                    .iter()
                    .any(|(other, _)| other.to_string() == axis.to_string())
                {
                    let message = format!("`{axis}` has values already; keep one");
                    return Err(Error::at(axis.span(), message));
                }
                axes.push((axis.clone(), values_of(&axis.to_string(), values)?));
            }
            if axes.is_empty() {
                return Err(Error::at(
                    name.span(),
                    "no parameter is named: write args(size = [1, 2])",
                ));
            }
            Ok(Args::Named(axes))
        }
    }
}

/// The expression, unless it can be seen from here that it has no values.
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

fn types(name: &Ident, value: Value<'_>) -> Result<Types, Error> {
    let Value::Is([list]) = value else {
        return Err(takes(name, "types = [A, B]"));
    };
    let Some(inside) = group(Some(list), Delimiter::Bracket) else {
        return Err(Error::at(
            list.span(),
            "types stand in brackets: write types = [A, B]",
        ));
    };
    let tokens = flatten(inside.stream());
    let parts = at_commas(&tokens, Angles::Types);
    let mut list = Vec::new();
    for part in &parts {
        list.push(part.to_vec());
    }
    if list.is_empty() || list.iter().any(Vec::is_empty) {
        return Err(Error::at(
            inside.span(),
            "a type is missing: write types = [A, B]",
        ));
    }
    Ok(Types {
        at: name.span(),
        list,
    })
}
