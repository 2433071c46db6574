//! What went wrong with a server, as a text.

use std::error::Error as _;
use std::io;

use ::postgres::error::SqlState;

/// What the server reports before it closes a connection.
const LAST_WORDS: [SqlState; 3] = [
    SqlState::ADMIN_SHUTDOWN,
    SqlState::CRASH_SHUTDOWN,
    SqlState::IDLE_SESSION_TIMEOUT,
];

/// What happened, and what to do about a connection that was lost.
pub(super) fn text(error: &::postgres::Error) -> String {
    let reason = reason(error);
    let is_last = error.code().is_some_and(|code| LAST_WORDS.contains(code));
    let is_broken = error.source().is_some_and(|cause| cause.is::<io::Error>());
    if is_last || is_broken || error.is_closed() {
        return format!(
            "the connection was lost ({reason}); repeat the command, which adds nothing twice"
        );
    }
    reason
}

/// What happened, in the words of the server if it has any.
pub(super) fn reason(error: &::postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        let details = [error.detail(), error.hint()].into_iter().flatten();
        let details: String = details.map(|text| format!("; {text}")).collect();
        return format!("{}{details}", error.message());
    }
    let mut causes = vec![error.to_string()];
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push(cause.to_string());
        source = cause.source();
    }
    causes.dedup();
    causes.join(": ")
}
