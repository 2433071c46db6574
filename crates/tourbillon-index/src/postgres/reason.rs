//! Why a server did not do something, as a text.

use std::error::Error as _;

/// What happened, in the words of the server if it has any.
pub(super) fn reason(error: &tokio_postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        let details = [error.detail(), error.hint()].into_iter().flatten();
        let details: String = details.map(|text| format!("; {text}")).collect();
        return visible(&format!("{}{details}", error.message()));
    }
    let mut causes = vec![error.to_string()];
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push(cause.to_string());
        source = cause.source();
    }
    causes.dedup();
    visible(&causes.join(": "))
}

/// The text without letters that change what a terminal shows: a server is any program.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\'' | '\\' => shown.push(letter),
            letter => shown.extend(letter.escape_debug()),
        }
    }
    shown
}
