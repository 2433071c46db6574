//! Generated code, written as source text with holes.

use proc_macro::{Group, Literal, Span, TokenStream, TokenTree};

/// Tokens of `source` in which every `$name` is replaced by the hole of that name.
///
/// The template's own tokens get `span`, what is filled in keeps its spans. With a mixed-site span
/// the local variables of a template are invisible to filled-in expressions and the other way round.
///
/// # Panics
///
/// When the template is not Rust or names a hole that is not there: a mistake in this crate that
/// every use of the attribute would show.
pub(crate) fn fill(source: &str, span: Span, holes: &[(&str, TokenStream)]) -> TokenStream {
    let tokens = source.parse().expect("a template consists of Rust tokens");
    replace(tokens, span, holes)
}

fn replace(tokens: TokenStream, span: Span, holes: &[(&str, TokenStream)]) -> TokenStream {
    let mut filled = TokenStream::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                let name = tokens.next().map(|name| name.to_string());
                let hole = holes
                    .iter()
                    .find(|(hole, _)| Some(*hole) == name.as_deref());
                filled.extend(
                    hole.expect("a template names holes that are there")
                        .1
                        .clone(),
                );
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace(group.stream(), span, holes));
                inner.set_span(span);
                filled.extend([TokenTree::from(inner)]);
            }
            mut token => {
                token.set_span(span);
                filled.extend([token]);
            }
        }
    }
    filled
}

/// A string literal.
pub(crate) fn string(text: &str) -> TokenStream {
    TokenTree::from(Literal::string(text)).into()
}
