//! Lists of tokens: taken apart, written from templates, and marked with errors.

use proc_macro::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};

/// Which `<` open a list of generic arguments; in a token list they are mere punctuation.
#[derive(Clone, Copy)]
pub(crate) enum Angles {
    /// All of them: the tokens are types, parameters or generics.
    Types,
    /// Those after `::`, and those that begin an operand: the tokens are expressions, where any
    /// other `<` compares.
    Expressions,
}

/// The tokens of a stream.
pub(crate) fn tokens(stream: TokenStream) -> Vec<TokenTree> {
    stream.into_iter().collect()
}

/// A stream of these tokens.
pub(crate) fn stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}

/// The tokens of `stream` without the invisible groups that macros put around what they pass on.
pub(crate) fn flatten(stream: TokenStream) -> Vec<TokenTree> {
    let mut flat = Vec::new();
    for token in stream {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                flat.append(&mut flatten(group.stream()));
            }
            token => flat.push(token),
        }
    }
    flat
}

/// Splits at the commas outside of angle brackets. A trailing comma ends the last part and begins none.
pub(crate) fn at_commas(tokens: &[TokenTree], angles: Angles) -> Vec<&[TokenTree]> {
    let mut parts = Vec::new();
    let mut rest = tokens;
    while !rest.is_empty() {
        let comma = comma(rest, angles).unwrap_or(rest.len());
        parts.push(&rest[..comma]);
        rest = rest.get(comma + 1..).unwrap_or_default();
    }
    parts
}

fn comma(tokens: &[TokenTree], angles: Angles) -> Option<usize> {
    let mut index = 0;
    while index < tokens.len() {
        if is(tokens.get(index), ',') {
            return Some(index);
        }
        if is(tokens.get(index), '<') && opens(&tokens[..index], angles) {
            index += closing(&tokens[index..]).unwrap_or(0);
        }
        index += 1;
    }
    None
}

fn opens(before: &[TokenTree], angles: Angles) -> bool {
    match (angles, before.last()) {
        (Angles::Types, _) | (Angles::Expressions, None) => true,
        (Angles::Expressions, Some(TokenTree::Punct(punct))) => {
            matches!(punct.as_char(), ':' | '=' | '&' | ',')
        }
        (Angles::Expressions, Some(_)) => false,
    }
}

/// The index of the `>` that closes the `<` at the head of `tokens`.
pub(crate) fn closing(tokens: &[TokenTree]) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        if is(Some(token), '<') {
            depth += 1;
        } else if is(Some(token), '>') && !(index > 0 && is(tokens.get(index - 1), '-')) {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(index);
            }
        }
    }
    None
}

/// Whether the token is this punctuation.
pub(crate) fn is(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

/// Whether the token is this word.
pub(crate) fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident.to_string() == word)
}

/// The token as a group with this delimiter.
pub(crate) fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// Tokens of `source` in which every `$name` is replaced by the hole of that name.
///
/// The template's own tokens get `span`, what is filled in keeps its spans. With a mixed-site span
/// the local variables of a template are invisible to filled-in expressions and the other way round.
///
/// # Panics
///
/// When the template is not Rust or names an unknown hole: a mistake in this crate that every use of the
/// attribute would show.
pub(crate) fn fill(source: &str, span: Span, holes: &[(&str, TokenStream)]) -> TokenStream {
    let tokens = source.parse().expect("a template consists of Rust tokens");
    replace(tokens, span, holes)
}

fn replace(template: TokenStream, span: Span, holes: &[(&str, TokenStream)]) -> TokenStream {
    let mut filled = TokenStream::new();
    let mut template = template.into_iter();
    while let Some(token) = template.next() {
        let mut token = match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                let name = template.next().map(|name| name.to_string());
                let hole = holes
                    .iter()
                    .find(|(hole, _)| Some(*hole) == name.as_deref());
                let (_, tokens) = hole.unwrap_or_else(|| panic!("a template has no hole {name:?}"));
                filled.extend(tokens.clone());
                continue;
            }
            TokenTree::Group(group) => {
                Group::new(group.delimiter(), replace(group.stream(), span, holes)).into()
            }
            token => token,
        };
        token.set_span(span);
        filled.extend([token]);
    }
    filled
}

/// A string literal.
pub(crate) fn string(text: &str) -> TokenStream {
    TokenTree::from(Literal::string(text)).into()
}

/// A message at a place in the user's source.
pub(crate) struct Error {
    message: String,
    first: Span,
    last: Span,
}

impl Error {
    /// An error at one token.
    pub(crate) fn at(span: Span, message: impl Into<String>) -> Self {
        Self::over(&[], span, message)
    }

    /// An error at a range of tokens; at `otherwise` where there are none.
    pub(crate) fn over(tokens: &[TokenTree], otherwise: Span, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            first: tokens.first().map_or(otherwise, TokenTree::span),
            last: tokens.last().map_or(otherwise, TokenTree::span),
        }
    }

    /// `::core::compile_error! { "message" }`, which the compiler reports from the first span to
    /// the last.
    pub(crate) fn into_tokens(self) -> TokenStream {
        let message = fill(&format!("{{ {:?} }}", self.message), self.last, &[]);
        let holes = [("message", message)];
        fill("::core::compile_error! $message", self.first, &holes)
    }
}
