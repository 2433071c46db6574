//! Options that are settings of the cases: names, selection, bounds of the measuring.

use proc_macro::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use tourbillon_values::{DURATION_FORM, assertion, nanoseconds, share};

use crate::tokens::{self, Angles, Error, at_commas, fill};
use crate::value::{Value, count, only, string, takes, text};

/// An option that is a setting.
pub(crate) struct Setting {
    /// Its name; except for `clock`, also that of the method that sets it.
    pub(crate) name: &'static str,
    takes: Takes,
    /// How it is written.
    form: &'static str,
}

/// What an option takes.
#[derive(Clone, Copy)]
enum Takes {
    Nothing,
    Text,
    TextIfAny,
    Tags,
    /// A whole number of 32 bits.
    Count,
    /// A whole number of 64 bits.
    LongCount,
    Share,
    Duration,
    Clock,
    /// How a time may grow.
    Growth,
    /// Assertions about times, one or a list.
    Assertions,
}

/// All of them.
#[rustfmt::skip]
pub(crate) const SETTINGS: [Setting; 14] = [
    Setting { name: "group", takes: Takes::Text, form: "group = \"sort\"" },
    Setting { name: "name", takes: Takes::Text, form: "name = \"std sort\"" },
    Setting { name: "reference", takes: Takes::Nothing, form: "without a value" },
    Setting { name: "tags", takes: Takes::Tags, form: "tags = [\"slow\", \"io\"]" },
    Setting { name: "ignore", takes: Takes::TextIfAny, form: "ignore, or ignore = \"why\"" },
    Setting { name: "launches", takes: Takes::Count, form: "launches = 20" },
    Setting { name: "min_time", takes: Takes::Duration, form: "min_time = \"500 ms\"" },
    Setting { name: "max_time", takes: Takes::Duration, form: "max_time = \"2 s\"" },
    Setting { name: "min_iterations", takes: Takes::LongCount, form: "min_iterations = 100" },
    Setting { name: "precision", takes: Takes::Share, form: "precision = 0.01, or precision = \"1 %\"" },
    Setting { name: "timeout", takes: Takes::Duration, form: "timeout = \"60 s\"" },
    Setting { name: "at_most", takes: Takes::Growth, form: "at_most = \"n log n\"" },
    Setting { name: "verify", takes: Takes::Assertions, form: "verify = \"a <= 1.05 * b\", or a list of such texts" },
    Setting { name: "clock", takes: Takes::Clock, form: "clock = cpu, or wall, user, kernel" },
];

/// What `at_most` may be.
const GROWTHS: [&str; 6] = ["1", "log n", "n", "n log n", "n^2", "n^3"];

/// Settings as they are collected.
#[derive(Default)]
pub(crate) struct Settings {
    /// The calls that set them.
    pub(crate) calls: TokenStream,
    min_time: Option<(u64, Span)>,
    max_time: Option<u64>,
    /// Where `at_most` stands.
    pub(crate) at_most: Option<Span>,
}

impl Settings {
    /// Adds the call that sets one option.
    pub(crate) fn add(
        &mut self,
        setting: &Setting,
        name: &Ident,
        value: Value<'_>,
    ) -> Result<(), Error> {
        let mut method = name.clone();
        let value = match (setting.takes, value) {
            (Takes::Nothing, Value::None) => TokenStream::new(),
            (Takes::TextIfAny, Value::None) => tokens::string(""),
            (Takes::Nothing, _) | (_, Value::None | Value::List(_)) => {
                return Err(takes(name, setting.form));
            }
            (Takes::Tags, Value::Is(value)) => tags(setting, name, value)?,
            (Takes::Assertions, Value::Is(value)) => assertions(name, value)?,
            (Takes::Clock, Value::Is(value)) => {
                method = clock(setting, name, value)?;
                TokenStream::new()
            }
            (_, Value::Is(value)) => {
                TokenTree::from(self.literal(setting, name.span(), value)?).into()
            }
        };
        let holes = [("option", TokenTree::from(method).into()), ("value", value)];
        self.calls
            .extend(fill(".$option($value)", Span::mixed_site(), &holes));
        Ok(())
    }

    /// The value of an option that takes one literal, in the type that its method takes.
    fn literal(
        &mut self,
        setting: &Setting,
        name: Span,
        value: &[TokenTree],
    ) -> Result<Literal, Error> {
        let option = setting.name;
        match setting.takes {
            Takes::Count => {
                let number = count(value, option, u64::from(u32::MAX), name)?;
                Ok(Literal::u32_suffixed(number as u32))
            }
            Takes::LongCount => Ok(Literal::u64_suffixed(count(value, option, u64::MAX, name)?)),
            Takes::Growth => {
                self.at_most = Some(name);
                growth(value, name)
            }
            Takes::Share => Ok(Literal::f64_suffixed(precision(value, name)?)),
            Takes::Duration => {
                let ns = duration(option, value, name)?;
                if option == "min_time" {
                    self.min_time = value.first().map(|value| (ns, value.span()));
                } else if option == "max_time" {
                    self.max_time = Some(ns);
                }
                Ok(Literal::u64_suffixed(ns))
            }
            _ => string(value, option, name),
        }
    }

    /// Refuses settings that contradict each other.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match (self.min_time, self.max_time) {
            (Some((min, at)), Some(max)) if min > max => Err(Error::at(
                at,
                "`min_time` is longer than `max_time`; make it shorter",
            )),
            _ => Ok(()),
        }
    }
}

/// The method that sets the clock.
fn clock(setting: &Setting, name: &Ident, value: &[TokenTree]) -> Result<Ident, Error> {
    if let [TokenTree::Ident(word)] = value
        && ["wall", "cpu", "user", "kernel"].contains(&word.to_string().as_str())
    {
        return Ok(Ident::new(&format!("clock_{word}"), word.span()));
    }
    Err(written(setting, name, value))
}

fn written(setting: &Setting, name: &Ident, value: &[TokenTree]) -> Error {
    let message = format!("`{}` is written {}", setting.name, setting.form);
    Error::over(value, name.span(), message)
}

fn tags(setting: &Setting, name: &Ident, value: &[TokenTree]) -> Result<TokenStream, Error> {
    let [TokenTree::Group(list)] = value else {
        return Err(written(setting, name, value));
    };
    if list.delimiter() != Delimiter::Bracket {
        return Err(written(setting, name, value));
    }
    for tag in at_commas(&tokens::tokens(list.stream()), Angles::Expressions) {
        if string(tag, "tags", list.span()).is_err() {
            let message = "a tag is a string that is not empty, as in \"slow\"";
            return Err(Error::over(tag, list.span(), message));
        }
    }
    let holes = [("list", TokenTree::from(list.clone()).into())];
    Ok(fill("&$list", Span::mixed_site(), &holes))
}

/// A list of assertions, each of which is checked.
fn assertions(name: &Ident, value: &[TokenTree]) -> Result<TokenStream, Error> {
    let inside = match value {
        [TokenTree::Group(list)] if list.delimiter() == Delimiter::Bracket => {
            tokens::tokens(list.stream())
        }
        _ => value.to_vec(),
    };
    for one in at_commas(&inside, Angles::Expressions) {
        let literal = string(one, "verify", name.span())?;
        let read = text(&literal).map(|text| assertion(&text));
        if let Some(Err(message)) = read {
            return Err(Error::at(literal.span(), message));
        }
    }
    let list = inside.into_iter().collect();
    Ok(fill("&[$list]", Span::mixed_site(), &[("list", list)]))
}

fn duration(option: &str, value: &[TokenTree], name: Span) -> Result<u64, Error> {
    let Ok(literal) = string(value, option, name) else {
        let message = format!("`{option}` is a duration in quotes: {DURATION_FORM}");
        return Err(Error::over(value, name, message));
    };
    let ns = text(&literal).and_then(|text| nanoseconds(&text));
    match ns.map(|ns| ns.round() as u64) {
        None | Some(u64::MAX) => {
            let message = format!("{literal} is not a duration: write {DURATION_FORM}");
            Err(Error::at(literal.span(), message))
        }
        Some(0) if option != "min_time" => {
            let message = format!("`{option}` must be above zero");
            Err(Error::at(literal.span(), message))
        }
        Some(ns) => Ok(ns),
    }
}

/// One of the models of growth.
fn growth(value: &[TokenTree], name: Span) -> Result<Literal, Error> {
    let literal = string(value, "at_most", name)?;
    if text(&literal).is_some_and(|text| GROWTHS.contains(&text.as_str())) {
        return Ok(literal);
    }
    let message = format!(
        "{literal} is no growth that can be distinguished from others: write one of \"{}\"",
        GROWTHS.join("\", \"")
    );
    Err(Error::at(literal.span(), message))
}

/// A share of the estimate: `0.01` or `"1 %"`.
fn precision(value: &[TokenTree], name: Span) -> Result<f64, Error> {
    let share = only(value).and_then(|literal| match text(&literal) {
        Some(text) if text.trim_end().ends_with('%') => share(&text).ok(),
        Some(_) => None,
        None => literal.to_string().parse().ok(),
    });
    match share {
        Some(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => {
            let message =
                "`precision` is a share between 0 and 1: write precision = 0.01, or \"1 %\"";
            Err(Error::over(value, name, message))
        }
    }
}
