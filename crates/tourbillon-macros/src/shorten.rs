//! Types as the values of an axis.

use proc_macro::{Delimiter, Ident, Spacing, TokenTree};

use crate::tokens::{self, is};

/// The name of a type in a case: as it is written, with paths cut to their last segment; in full where
/// two types would share the name.
pub(crate) fn name(types: &[&[TokenTree]], index: usize) -> String {
    let name = written(types[index], true);
    let same = types.iter().filter(|tokens| written(tokens, true) == name);
    if same.count() > 1 {
        return written(types[index], false);
    }
    name
}

/// The tokens as a person writes a type, whatever the spacing in the source.
fn written(tokens: &[TokenTree], shorten: bool) -> String {
    let mut text = String::new();
    let mut index = 0;
    while index < tokens.len() {
        let next = tokens.get(index + 1);
        match &tokens[index] {
            TokenTree::Ident(ident) => {
                let path = is(next, ':') && is(tokens.get(index + 2), ':');
                let goes_on = matches!(tokens.get(index + 3), Some(TokenTree::Ident(_)));
                if shorten && path && goes_on {
                    index += 3;
                    continue;
                }
                text.push_str(&ident.to_string());
                let lifetime = index > 0 && is(tokens.get(index - 1), '\'');
                let begins = match next {
                    Some(TokenTree::Group(group)) => {
                        let bracket = group.delimiter() == Delimiter::Bracket;
                        bracket || lifetime || is_modifier(ident)
                    }
                    next => begins_a_word(next) || is(next, '&') || is(next, '*'),
                };
                if begins {
                    text.push(' ');
                }
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                text.push_str(&written(&tokens::tokens(group.stream()), shorten));
                text.push_str(close);
            }
            TokenTree::Literal(literal) => text.push_str(&literal.to_string()),
            TokenTree::Punct(punct) => match punct.as_char() {
                mark @ (',' | ';') => {
                    text.push(mark);
                    if next.is_some() {
                        text.push(' ');
                    }
                }
                '+' => text.push_str(" + "),
                '=' => text.push_str(" = "),
                '-' if is(next, '>') => {
                    text.push_str(" -> ");
                    index += 1;
                }
                ':' if is(next, ':') && punct.spacing() == Spacing::Joint => {
                    // The last segment of a path does not need the `::` before the first.
                    let follows =
                        text.ends_with(|last: char| last.is_alphanumeric() || "_>".contains(last));
                    if follows || !shorten {
                        text.push_str("::");
                    }
                    index += 1;
                }
                ':' => text.push_str(": "),
                '>' if begins_a_word(next) => text.push_str("> "),
                mark => text.push(mark),
            },
        }
        index += 1;
    }
    text
}

/// Whether a type follows, so that a parenthesis after this word opens a tuple, not arguments.
fn is_modifier(ident: &Ident) -> bool {
    matches!(
        ident.to_string().as_str(),
        "mut" | "const" | "dyn" | "as" | "impl"
    )
}

fn begins_a_word(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Ident(_) | TokenTree::Literal(_))) || is(token, '\'')
}
