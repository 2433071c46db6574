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

fn replace(template: TokenStream, span: Span, holes: &[(&str, TokenStream)]) -> TokenStream {
    let mut filled = TokenStream::new();
    let mut template = template.into_iter();
    while let Some(token) = template.next() {
        let mut token = match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => {
                if let Some(name) = template.next() {
                    filled.extend(hole(holes, &name.to_string()).clone());
                }
                continue;
            }
            TokenTree::Group(group) => {
                Group::new(group.delimiter(), replace(group.stream(), span, holes)).into()
            }
            token => token,
        };
        token.set_span(span);
        filled.extend(TokenStream::from(token));
    }
    filled
}

fn hole<'h>(holes: &'h [(&str, TokenStream)], wanted: &str) -> &'h TokenStream {
    for (name, tokens) in holes {
        if *name == wanted {
            return tokens;
        }
    }
    panic!("a template names holes that are there, which `{wanted}` is not")
}

/// A string literal.
pub(crate) fn string(text: &str) -> TokenStream {
    TokenTree::from(Literal::string(text)).into()
}
