//! What stands in the parentheses of the attribute.

use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

use crate::axes::Axis;
use crate::error::Error;
use crate::listed::{is_one_of, listed};
use crate::nearest::nearest;
use crate::setting::{SETTINGS, Settings};
use crate::split::{self, Angles, at_commas, flatten, group, is, stream};
use crate::ways::{self, ways};

/// Options that decide how the function is called; the others are settings of its cases.
const CALLS: [&str; 3] = ["args", "types", "crate"];

/// The options of one use of the attribute.
#[derive(Default)]
pub(crate) struct Options {
    /// How `args` is written.
    pub(crate) args: Args,
    /// The axes of `args`; called like the option where it names none.
    pub(crate) axes: Vec<Axis>,
    /// Where `types` stands.
    pub(crate) types_at: Option<Span>,
    /// The tokens of `types`, commas between one type and the next.
    pub(crate) types: Vec<TokenTree>,
    /// `modes` and `threads`.
    pub(crate) ways: Vec<Axis>,
    /// `crate`: a path.
    pub(crate) path: Option<TokenStream>,
    /// Calls such as `.launches(20)` that make the settings what they were asked to be.
    pub(crate) settings: Settings,
}

/// How the values of the function's parameters are given.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum Args {
    /// No `args`.
    #[default]
    Absent,
    /// `args = VALUES`.
    Only,
    /// `args(name = VALUES, ..)`.
    Named,
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
        for part in &at_commas(&tokens, Angles::Expressions) {
            let Entry { name, value } = entry(part)?;
            let word = name.to_string();
            for other in &seen {
                if *other == word {
                    let message = format!("`{word}` is given twice; keep one");
                    return Err(Error::at(name.span(), message));
                }
            }
            options.add(&name, &word, value)?;
            seen.push(word);
        }
        options.settings.check()?;
        if let Some(at) = options.settings.at_most
            && options.axes.is_empty()
        {
            let message = "`at_most` is about sizes: add args = doubling(1, 4096)";
            return Err(Error::at(at, message));
        }
        Ok(options)
    }

    fn add(&mut self, name: &Ident, word: &str, value: Value<'_>) -> Result<(), Error> {
        if word == CALLS[0] {
            self.add_args(name, value)
        } else if word == CALLS[1] {
            self.add_types(name, value)
        } else if word == CALLS[2] {
            let Value::Is(path) = value else {
                return Err(takes(name, "crate = path::of::tourbillon"));
            };
            self.path = Some(stream(path));
            Ok(())
        } else if is_one_of(word, &ways::WORDS) {
            self.ways.push(ways(name, value)?);
            Ok(())
        } else {
            for setting in &SETTINGS {
                if setting.name == word {
                    return self.settings.add(setting, name, value);
                }
            }
            Err(unknown(name))
        }
    }

    fn add_args(&mut self, name: &Ident, value: Value<'_>) -> Result<(), Error> {
        let list = match value {
            Value::None => {
                let form = "args = [1, 2], or args(size = [1, 2], kind = [\"a\", \"b\"])";
                return Err(takes(name, form));
            }
            Value::Is(values) => {
                self.args = Args::Only;
                return self.add_axis(name, values);
            }
            Value::List(list) => list,
        };
        self.args = Args::Named;
        for part in &at_commas(&list, Angles::Expressions) {
            let axis = entry(part)?;
            let Value::Is(values) = axis.value else {
                let message = format!("write {} = VALUES here", part[0]);
                return Err(Error::over(part, name.span(), message));
            };
            self.add_axis(&axis.name, values)?;
        }
        if self.axes.is_empty() {
            let message = "no parameter is named: write args(size = [1, 2])";
            return Err(Error::at(name.span(), message));
        }
        Ok(())
    }

    fn add_axis(&mut self, name: &Ident, values: &[TokenTree]) -> Result<(), Error> {
        let word = name.to_string();
        for other in &self.axes {
            if other.name.to_string() == word {
                let message = format!("`{word}` has values already; keep one");
                return Err(Error::at(name.span(), message));
            }
        }
        self.axes.push(Axis {
            name: name.clone(),
            values: values_of(&word, values)?,
            way: None,
        });
        Ok(())
    }

    fn add_types(&mut self, name: &Ident, value: Value<'_>) -> Result<(), Error> {
        let Value::Is([list]) = value else {
            return Err(takes(name, "types = [A, B]"));
        };
        let Some(inside) = group(Some(list), Delimiter::Bracket) else {
            let message = "types stand in brackets: write types = [A, B]";
            return Err(Error::at(list.span(), message));
        };
        self.types_at = Some(name.span());
        self.types = flatten(inside.stream());
        let mut missing = self.types.is_empty();
        for part in &at_commas(&self.types, Angles::Types) {
            missing |= part.is_empty();
        }
        if missing {
            let message = "a type is missing: write types = [A, B]";
            return Err(Error::at(inside.span(), message));
        }
        Ok(())
    }
}

/// The error for an option that was given in another form than `form`.
pub(crate) fn takes(name: &Ident, form: &str) -> Error {
    Error::at(name.span(), format!("`{name}` is written {form}"))
}

fn unknown(name: &Ident) -> Error {
    let word = name.to_string();
    let mut known = CALLS.to_vec();
    for way in &ways::WORDS {
        known.push(way);
    }
    for setting in &SETTINGS {
        known.push(setting.name);
    }
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
