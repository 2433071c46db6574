//! Taking token lists apart: commas, angle brackets, invisible groups.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Which `<` open a list of generic arguments; to the token list they are mere punctuation.
#[derive(Clone, Copy)]
pub(crate) enum Angles {
    /// All of them: the tokens are types, parameters or generics.
    Types,
    /// Those after `::`, and those that begin an operand: the tokens are expressions, where any
    /// other `<` compares.
    Expressions,
}

/// The tokens of a stream.
///
/// This and [`stream`] are where tokens are collected: the standard library's iterators are compiled
/// anew for each place and each closure, in every build of a bench binary.
pub(crate) fn tokens(stream: TokenStream) -> Vec<TokenTree> {
    let mut tokens = Vec::new();
    for token in stream {
        tokens.push(token);
    }
    tokens
}

/// A stream of these tokens.
pub(crate) fn stream(tokens: &[TokenTree]) -> TokenStream {
    let mut stream = TokenStream::new();
    for token in tokens {
        stream.extend(TokenStream::from(token.clone()));
    }
    stream
}

/// The tokens of `stream` with the invisible groups taken off that macros put around what they
/// pass on.
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

/// Splits at the commas that stand outside of angle brackets. A trailing comma ends the last part
/// and begins none.
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
