//! What the attribute reads of the function below it.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::tokens::{self, Angles, Error, at_commas, closing, flatten, group, is, is_word, stream};

/// Words in attributes of a function that decide whether it is inlined, or that give it an address which
/// others know and `#[inline]` would contradict.
const DECIDE_INLINING: [&str; 4] = ["inline", "naked", "no_mangle", "export_name"];

/// What is needed to call the function.
pub(crate) struct Signature {
    /// Whether the function's own attributes decide about inlining.
    pub(crate) decides_inlining: bool,
    /// The function's name.
    pub(crate) name: Ident,
    /// The type and const parameters in order, at most one of each.
    pub(crate) generics: Vec<Generic>,
    /// The parameters in order.
    pub(crate) parameters: Vec<Parameter>,
    /// First token of the return type; the name where none is written.
    pub(crate) output: Span,
}

/// A parameter in angle brackets.
pub(crate) enum Generic {
    /// `T`
    Type(Ident),
    /// `const N: usize`
    Const(Ident),
}

impl Generic {
    /// Its name.
    pub(crate) fn name(&self) -> &Ident {
        match self {
            Generic::Type(name) | Generic::Const(name) => name,
        }
    }
}

/// A parameter of the function.
pub(crate) struct Parameter {
    /// Its name; `None` for `_` and for patterns.
    pub(crate) name: Option<Ident>,
    /// First token of the pattern.
    pub(crate) pattern: Span,
    /// First token of the type.
    pub(crate) kind: Span,
}

impl Parameter {
    /// Whether it has this name.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name
            .as_ref()
            .is_some_and(|own| own.to_string() == name)
    }
}

impl Signature {
    /// Reads the function that the attribute stands on.
    pub(crate) fn parse(item: TokenStream) -> Result<Self, Error> {
        let tokens = flatten(item);
        let mut rest = after_attributes(&tokens);
        let decides_inlining = decides_inlining(&tokens[..tokens.len() - rest.len()]);
        if is_word(rest.first(), "pub") {
            rest = &rest[1..];
            if group(rest.first(), Delimiter::Parenthesis).is_some() {
                rest = &rest[1..];
            }
        }
        let mut function = 0;
        while rest.get(function).is_some_and(is_qualifier) {
            function += 1;
        }
        if !is_word(rest.get(function), "fn") {
            let message = "`bench` goes on a function: move it to one";
            let first = rest.get(..1).unwrap_or_default();
            return Err(Error::over(first, Span::call_site(), message));
        }
        refuse(&rest[..function])?;
        let rest = &rest[function + 1..];
        let Some((TokenTree::Ident(name), rest)) = rest.split_first() else {
            return Err(Error::over(
                rest,
                Span::call_site(),
                "a function has a name: write fn name()",
            ));
        };
        let mut rest = rest;
        let mut generics = Vec::new();
        if is(rest.first(), '<')
            && let Some(end) = closing(rest)
        {
            generics = generic_parameters(&rest[1..end])?;
            rest = &rest[end + 1..];
        }
        let Some(parameters) = group(rest.first(), Delimiter::Parenthesis) else {
            return Err(Error::at(
                name.span(),
                format!("parameters are missing: write fn {name}()"),
            ));
        };
        if group(rest.last(), Delimiter::Brace).is_none() {
            let message =
                format!("`{name}` has no body; move the attribute to a function with one");
            return Err(Error::at(name.span(), message));
        }
        let output = rest.get(3).filter(|_| is(rest.get(1), '-'));
        Ok(Self {
            decides_inlining,
            name: name.clone(),
            generics,
            parameters: self::parameters(parameters)?,
            output: output.map_or(name.span(), TokenTree::span),
        })
    }
}

/// The name without `r#`.
pub(crate) fn plain(name: &Ident) -> String {
    let name = name.to_string();
    match name.strip_prefix("r#") {
        Some(plain) => plain.to_owned(),
        None => name,
    }
}

fn after_attributes(mut tokens: &[TokenTree]) -> &[TokenTree] {
    while is(tokens.first(), '#') && group(tokens.get(1), Delimiter::Bracket).is_some() {
        tokens = &tokens[2..];
    }
    tokens
}

/// Whether one of these attributes does, at any depth: in a `cfg_attr`, or in an `unsafe(..)`.
fn decides_inlining(attributes: &[TokenTree]) -> bool {
    attributes.iter().any(|token| match token {
        TokenTree::Ident(word) => DECIDE_INLINING.contains(&word.to_string().as_str()),
        TokenTree::Group(group) => decides_inlining(&tokens::tokens(group.stream())),
        _ => false,
    })
}

fn is_qualifier(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => {
            let qualifiers = ["const", "async", "unsafe", "safe", "extern"];
            qualifiers.contains(&word.to_string().as_str())
        }
        // The ABI of an extern function.
        TokenTree::Literal(_) => true,
        _ => false,
    }
}

fn refuse(qualifiers: &[TokenTree]) -> Result<(), Error> {
    for token in qualifiers {
        let message = if is_word(Some(token), "async") {
            "an async function cannot be a benchmark; \
             write a plain one that passes its body to `iter_async` of its `Bencher`"
        } else if is_word(Some(token), "unsafe") {
            "a benchmark is called from safe code; \
             remove this `unsafe` and write an unsafe block in the body"
        } else {
            continue;
        };
        return Err(Error::at(token.span(), message));
    }
    Ok(())
}

/// The type and const parameters among generics; lifetimes are inferred where the function is called.
fn generic_parameters(generics: &[TokenTree]) -> Result<Vec<Generic>, Error> {
    let mut found: Vec<Generic> = Vec::new();
    for part in at_commas(generics, Angles::Types) {
        let part = after_attributes(part);
        let generic = match (part.first(), part.get(1)) {
            (Some(TokenTree::Ident(word)), Some(TokenTree::Ident(name)))
                if word.to_string() == "const" =>
            {
                Generic::Const(name.clone())
            }
            (Some(TokenTree::Ident(name)), _) => Generic::Type(name.clone()),
            _ => continue,
        };
        let is_same = |other: &Generic| {
            matches!(
                (other, &generic),
                (Generic::Type(_), Generic::Type(_)) | (Generic::Const(_), Generic::Const(_))
            )
        };
        if found.iter().any(is_same) {
            let message = match &generic {
                Generic::Type(_) => {
                    "a benchmark has at most one type parameter; write a type that stands for both"
                }
                Generic::Const(_) => {
                    "a benchmark has at most one const parameter; make the other an ordinary one with args"
                }
            };
            return Err(Error::at(generic.name().span(), message));
        }
        found.push(generic);
    }
    Ok(found)
}

fn parameters(list: &Group) -> Result<Vec<Parameter>, Error> {
    let tokens = tokens::tokens(list.stream());
    let parts = at_commas(&tokens, Angles::Types);
    parts.iter().map(|part| parameter(part, list)).collect()
}

fn parameter(part: &[TokenTree], list: &Group) -> Result<Parameter, Error> {
    let part = after_attributes(part);
    let mut colon = 0;
    while colon < part.len() {
        if is(part.get(colon), ':') {
            if !is(part.get(colon + 1), ':') {
                break;
            }
            // A path's.
            colon += 1;
        }
        if is_word(part.get(colon), "self") {
            let message =
                "a method cannot be a benchmark; move it out of the impl block and remove `self`";
            return Err(Error::at(part[colon].span(), message));
        }
        colon += 1;
    }
    let (pattern, kind) = part.split_at(colon);
    let named = flatten(stream(pattern));
    let name = match named.as_slice() {
        [TokenTree::Ident(name)] if name.to_string() != "_" => Some(name.clone()),
        [TokenTree::Ident(word), TokenTree::Ident(name)]
            if ["mut", "ref"].contains(&word.to_string().as_str()) =>
        {
            Some(name.clone())
        }
        _ => None,
    };
    let place = |token: Option<&TokenTree>| token.map_or(list.span(), TokenTree::span);
    Ok(Parameter {
        name,
        pattern: place(pattern.first()),
        kind: place(kind.get(1)),
    })
}
