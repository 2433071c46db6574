//! What is wrong with a use of the attribute, and where.

use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::split::stream;

/// A message at a place in the user's source.
#[derive(Debug)]
pub(crate) struct Error {
    message: String,
    first: Span,
    last: Span,
}

impl Error {
    /// An error at one token.
    pub(crate) fn at(span: Span, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            first: span,
            last: span,
        }
    }

    /// An error at a stretch of tokens; at `otherwise` where there are none.
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
        let colon = |spacing| {
            let mut colon = Punct::new(':', spacing);
            colon.set_span(self.first);
            TokenTree::from(colon)
        };
        let word = |word| TokenTree::from(Ident::new(word, self.first));
        let mut bang = Punct::new('!', Spacing::Alone);
        bang.set_span(self.first);
        let mut message = proc_macro::Literal::string(&self.message);
        message.set_span(self.last);
        let mut braces = Group::new(
            Delimiter::Brace,
            TokenStream::from(TokenTree::from(message)),
        );
        braces.set_span(self.last);
        stream(&[
            colon(Spacing::Joint),
            colon(Spacing::Alone),
            word("core"),
            colon(Spacing::Joint),
            colon(Spacing::Alone),
            word("compile_error"),
            TokenTree::from(bang),
            TokenTree::from(braces),
        ])
    }
}
