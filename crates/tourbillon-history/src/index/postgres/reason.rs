//! Why a server did not do something, as a text.

use std::error::Error as _;

/// Most letters of a text that are shown: enough for what PostgreSQL says, and no more of what another program may.
const MOST: usize = 1_000;

/// What happened, in the words of the server if it has any.
pub(super) fn reason(error: &tokio_postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        let details: String = [error.detail(), error.hint()]
            .into_iter()
            .flatten()
            .map(|text| format!("; {text}"))
            .collect();
        return visible(&format!("{}{details}", error.message()));
    }
    let mut causes = vec![error.to_string()];
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push(cause.to_string());
        source = cause.source();
    }
    causes.dedup();
    let text = causes.join(": ");
    let remedy = remedy(&text).unwrap_or_default();
    visible(&(text + remedy))
}

/// What a person can do about a certificate of which the library says a word of its own.
fn remedy(causes: &str) -> Option<&'static str> {
    let of_authority = causes.contains("CaUsedAsEndEntity");
    of_authority.then_some(
        "; the server shows the certificate of an authority: sign one for it, or make its own with CA:FALSE",
    )
}

/// The start of the text without letters that change what a terminal shows: a server is any program.
fn visible(text: &str) -> String {
    let mut shown = String::new();
    let mut letters = text.chars();
    for letter in letters.by_ref().take(MOST) {
        match letter {
            '"' | '\'' | '\\' => shown.push(letter),
            letter => shown.extend(letter.escape_debug()),
        }
    }
    if letters.next().is_some() {
        shown += "..";
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_an_end_has_one() {
        let most = "\u{1b}".repeat(MOST);
        assert_eq!(visible(&most), "\\u{1b}".repeat(MOST));
        assert_eq!(visible(&(most.clone() + "x")), visible(&most) + "..");
        assert_eq!(visible(""), "");
    }
}
