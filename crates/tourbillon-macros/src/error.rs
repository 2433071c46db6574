//! What is wrong with a use of the attribute, and where.

use proc_macro::{Span, TokenStream, TokenTree};

use crate::template::fill;

/// A message at a place in the user's source.
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
        let message = fill(&format!("{{ {:?} }}", self.message), self.last, &[]);
        let holes = [("message", message)];
        fill("::core::compile_error! $message", self.first, &holes)
    }
}
