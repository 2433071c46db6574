//! Options that are settings of the cases: names, selection, bounds of the measuring.

use proc_macro::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};

use crate::duration::{FORM, nanoseconds};
use crate::error::Error;
use crate::literal::{count, only, string, text};
use crate::options::{Value, takes};
use crate::split::{Angles, at_commas, group, tokens};
use crate::template::{fill, string as quoted};

/// The options' names; each but `clock` is also the name of the method that sets it.
pub(crate) const WORDS: [&str; 12] = [
    "group",
    "name",
    "reference",
    "tags",
    "ignore",
    "launches",
    "min_time",
    "max_time",
    "min_iterations",
    "precision",
    "timeout",
    "clock",
];

/// What `clock` may be; each is the end of the name of the method that sets it.
const CLOCKS: [&str; 4] = ["wall", "cpu", "user", "kernel"];

/// Settings as they are collected.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    calls: TokenStream,
    min_time: Option<(u64, Span)>,
    max_time: Option<u64>,
}

impl Settings {
    /// Adds the call that sets one option.
    pub(crate) fn add(&mut self, name: &Ident, value: Value<'_>) -> Result<(), Error> {
        let option = name.to_string();
        let mut method = name.clone();
        let value: TokenStream = match (option.as_str(), value) {
            ("reference", Value::None) => TokenStream::new(),
            ("reference", _) => return Err(takes(name, "without a value")),
            ("ignore", Value::None) => quoted(""),
            (_, Value::None | Value::List(_)) => return Err(takes(name, form(&option))),
            ("tags", Value::Is(value)) => tags(name, value)?,
            ("clock", Value::Is(value)) => {
                method = clock(name, value)?;
                TokenStream::new()
            }
            ("launches", Value::Is(value)) => {
                let most = u64::from(u32::MAX);
                one(Literal::u32_suffixed(
                    count(value, &option, most, name.span())? as u32,
                ))
            }
            ("min_iterations", Value::Is(value)) => one(Literal::u64_suffixed(count(
                value,
                &option,
                u64::MAX,
                name.span(),
            )?)),
            ("precision", Value::Is(value)) => {
                one(Literal::f64_suffixed(precision(value, name.span())?))
            }
            ("min_time" | "max_time" | "timeout", Value::Is(value)) => {
                let ns = duration(&option, value, name.span())?;
                match option.as_str() {
                    "min_time" => {
                        self.min_time = value.first().map(|value| (ns, value.span()));
                    }
                    "max_time" => self.max_time = Some(ns),
                    _ => {}
                }
                one(Literal::u64_suffixed(ns))
            }
            (_, Value::Is(value)) => one(string(value, &option, name.span())?),
        };
        let holes = [("option", TokenTree::from(method).into()), ("value", value)];
        self.calls
            .extend(fill(".$option($value)", Span::mixed_site(), &holes));
        Ok(())
    }

    /// All calls, once the options do not contradict each other.
    pub(crate) fn finish(self) -> Result<TokenStream, Error> {
        match (self.min_time, self.max_time) {
            (Some((min, at)), Some(max)) if min > max => Err(Error::at(
                at,
                "`min_time` is longer than `max_time`; make it shorter",
            )),
            _ => Ok(self.calls),
        }
    }
}

fn form(option: &str) -> &'static str {
    match option {
        "group" => "group = \"sort\"",
        "name" => "name = \"std sort\"",
        "tags" => "tags = [\"slow\", \"io\"]",
        "ignore" => "ignore, or ignore = \"why\"",
        "launches" => "launches = 20",
        "min_time" => "min_time = \"500 ms\"",
        "max_time" => "max_time = \"2 s\"",
        "min_iterations" => "min_iterations = 100",
        "clock" => "clock = cpu, or wall, user, kernel",
        "precision" => "precision = 0.01, or precision = \"1 %\"",
        _ => "timeout = \"60 s\"",
    }
}

/// The method that sets the clock.
fn clock(name: &Ident, value: &[TokenTree]) -> Result<Ident, Error> {
    if let [TokenTree::Ident(word)] = value {
        for clock in CLOCKS {
            if word.to_string() == clock {
                return Ok(Ident::new(&format!("clock_{clock}"), word.span()));
            }
        }
    }
    let message = format!("`clock` is written {}", form("clock"));
    Err(Error::over(value, name.span(), message))
}

fn tags(name: &Ident, value: &[TokenTree]) -> Result<TokenStream, Error> {
    let list = match value {
        [list] => group(Some(list), Delimiter::Bracket),
        _ => None,
    };
    let Some(list) = list else {
        return Err(Error::over(
            value,
            name.span(),
            format!("`tags` is written {}", form("tags")),
        ));
    };
    let tokens = tokens(list.stream());
    for tag in at_commas(&tokens, Angles::Expressions) {
        if string(tag, "tags", list.span()).is_err() {
            let message = "a tag is a string with something in it, as in \"slow\"";
            return Err(Error::over(tag, list.span(), message));
        }
    }
    Ok(fill(
        "&$list",
        Span::mixed_site(),
        &[("list", TokenTree::from(list.clone()).into())],
    ))
}

fn duration(option: &str, value: &[TokenTree], name: Span) -> Result<u64, Error> {
    let Ok(literal) = string(value, option, name) else {
        let message = format!("`{option}` is a duration in quotes: {FORM}");
        return Err(Error::over(value, name, message));
    };
    let Some(ns) = text(&literal).as_deref().and_then(nanoseconds) else {
        let message = format!("{literal} is no duration: write {FORM}");
        return Err(Error::at(literal.span(), message));
    };
    if ns == 0 && option != "min_time" {
        return Err(Error::at(
            literal.span(),
            format!("`{option}` leaves no time at all"),
        ));
    }
    Ok(ns)
}

/// A share of the estimate: `0.01` or `"1 %"`.
fn precision(value: &[TokenTree], name: Span) -> Result<f64, Error> {
    match share(value) {
        Some(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => {
            let message =
                "`precision` is a share between 0 and 1: write precision = 0.01, or \"1 %\"";
            Err(Error::over(value, name, message))
        }
    }
}

fn share(value: &[TokenTree]) -> Option<f64> {
    let literal = only(value)?;
    match text(&literal) {
        Some(text) => {
            let percent: f64 = text
                .trim_ascii()
                .strip_suffix('%')?
                .trim_ascii_end()
                .parse()
                .ok()?;
            Some(percent / 100.0)
        }
        None => literal.to_string().parse().ok(),
    }
}

fn one(literal: Literal) -> TokenStream {
    TokenTree::from(literal).into()
}
