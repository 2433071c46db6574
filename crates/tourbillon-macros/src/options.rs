//! The options in the parentheses of the attribute.

use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};
use tourbillon_values::nearest;

use crate::axis::{Axis, WAYS};
use crate::setting::{SETTINGS, Settings};
use crate::tokens::{Angles, Error, at_commas, flatten, group, stream, tokens};
use crate::value::{Entry, Value, takes, values_of};

/// The options of one use of the attribute.
#[derive(Default)]
pub(crate) struct Options {
    /// How `args` is written.
    pub(crate) args: Args,
    /// The axes of `args`; with the option's name where it names none.
    pub(crate) axes: Vec<Axis>,
    /// The place of `types`.
    pub(crate) types_at: Option<Span>,
    /// The tokens of `types`, commas between one type and the next.
    pub(crate) types: Vec<TokenTree>,
    /// The place of `consts`.
    pub(crate) consts_at: Option<Span>,
    /// The tokens of `consts`, commas between one value and the next.
    pub(crate) consts: Vec<TokenTree>,
    /// `modes` and `threads`.
    pub(crate) ways: Vec<Axis>,
    /// `crate`: a path.
    pub(crate) path: Option<TokenStream>,
    /// Calls such as `.launches(20)` that set what was requested.
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

impl Options {
    /// Reads the attribute's tokens.
    pub(crate) fn parse(attribute: TokenStream) -> Result<Self, Error> {
        let tokens = tokens(attribute);
        let mut options = Self::default();
        let mut seen: Vec<String> = Vec::new();
        for part in at_commas(&tokens, Angles::Expressions) {
            let Entry { name, value } = Entry::parse(part)?;
            let word = name.to_string();
            if seen.contains(&word) {
                let message = format!("`{word}` is given twice; keep one");
                return Err(Error::at(name.span(), message));
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
        match word {
            "args" => self.add_args(name, value),
            "types" => {
                self.types_at = Some(name.span());
                self.types = list(name, value, Angles::Types, ["type", "types = [A, B]"])?;
                Ok(())
            }
            "consts" => {
                self.consts_at = Some(name.span());
                self.consts = list(
                    name,
                    value,
                    Angles::Expressions,
                    ["value", "consts = [1, 2]"],
                )?;
                Ok(())
            }
            "crate" => {
                let Value::Is(path) = value else {
                    return Err(takes(name, "crate = path::of::tourbillon"));
                };
                self.path = Some(stream(path));
                Ok(())
            }
            _ if WAYS.contains(&word) => {
                self.ways.push(Axis::of_way(name, value)?);
                Ok(())
            }
            _ => match SETTINGS.iter().find(|setting| setting.name == word) {
                Some(setting) => self.settings.add(setting, name, value),
                None => Err(unknown(name)),
            },
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
        for part in at_commas(&list, Angles::Expressions) {
            let axis = Entry::parse(part)?;
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
        if self.axes.iter().any(|other| other.name.to_string() == word) {
            let message = format!("`{word}` has values already; keep one");
            return Err(Error::at(name.span(), message));
        }
        self.axes.push(Axis {
            name: name.clone(),
            values: values_of(&word, values)?,
            way: None,
        });
        Ok(())
    }
}

/// The tokens in the brackets of a list that has at least one part, and none that is empty.
fn list(
    name: &Ident,
    value: Value<'_>,
    angles: Angles,
    [what, form]: [&str; 2],
) -> Result<Vec<TokenTree>, Error> {
    let Value::Is([list]) = value else {
        return Err(takes(name, form));
    };
    let Some(inside) = group(Some(list), Delimiter::Bracket) else {
        let message = format!("{what}s stand in brackets: write {form}");
        return Err(Error::at(list.span(), message));
    };
    let tokens = flatten(inside.stream());
    let parts = at_commas(&tokens, angles);
    if parts.is_empty() || parts.iter().any(|part| part.is_empty()) {
        let message = format!("a {what} is missing: write {form}");
        return Err(Error::at(inside.span(), message));
    }
    Ok(tokens)
}

/// Options of divan's attribute that are not ours, and what to write instead.
const OF_DIVAN: [(&str, &str); 9] = [
    ("sample_count", "launches = N"),
    (
        "sample_size",
        "launches = N; the length of a batch is chosen for you",
    ),
    (
        "skip_ext_time",
        "nothing: inputs of `with_inputs` are never timed",
    ),
    ("counter", THROUGHPUT),
    ("counters", THROUGHPUT),
    ("bytes_count", THROUGHPUT),
    ("items_count", THROUGHPUT),
    ("chars_count", THROUGHPUT),
    ("cycles_count", "nothing: cycles are a column"),
];
const THROUGHPUT: &str = "`b.throughput(Bytes(n))` or `Items(n)` in the function";

/// A module with divan's attribute of a group, and what to write instead of that.
pub(crate) fn without_groups(module: TokenStream) -> TokenStream {
    let message = "`bench_group` is divan's; here: nothing, as the module is the group, or `group = \"..\"` of a benchmark; \
                   settings belong to a benchmark or to tourbillon.toml";
    let mut output = module;
    output.extend(Error::at(Span::call_site(), message).into_tokens());
    output
}

fn unknown(name: &Ident) -> Error {
    let word = name.to_string();
    if let Some((_, instead)) = OF_DIVAN.iter().find(|(theirs, _)| *theirs == word) {
        let message = format!("`{word}` is divan's; here: {instead}");
        return Error::at(name.span(), message);
    }
    let mut known = vec!["args", "types", "consts", "crate"];
    known.extend(WAYS);
    known.extend(SETTINGS.iter().map(|setting| setting.name));
    let message = match nearest(&word, known.iter().copied()) {
        Some(meant) => format!("unknown option `{word}`; did you mean `{meant}`?"),
        None => {
            let is_part = |known: &&&str| known.split('_').any(|part| part == word);
            let longer: Vec<&str> = known.iter().filter(is_part).copied().collect();
            match longer.as_slice() {
                [] => format!("unknown option `{word}`; there are {}", listed(&known)),
                some => {
                    let meant = some.join("` or `");
                    format!("unknown option `{word}`; did you mean `{meant}`?")
                }
            }
        }
    };
    Error::at(name.span(), message)
}

/// `a`, `b`, `c` and so on in backticks, for a message.
pub(crate) fn listed(words: &[&str]) -> String {
    format!("`{}`", words.join("`, `"))
}
