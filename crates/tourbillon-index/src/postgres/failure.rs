//! Errors of a server.

use std::error::Error as _;
use std::io;

use ::postgres::error::SqlState;

use super::address::ServerAddress;
use super::reason::reason;
use crate::Error;

/// What a server reports before it closes a connection.
const LAST_WORDS: [SqlState; 3] = [
    SqlState::ADMIN_SHUTDOWN,
    SqlState::CRASH_SHUTDOWN,
    SqlState::IDLE_SESSION_TIMEOUT,
];

/// The error of a statement. That of a lost connection says what to do.
pub(super) fn failed(address: &ServerAddress, error: &::postgres::Error) -> Error {
    if !is_lost(error) {
        return Error::new(address, reason(error));
    }
    let reason = reason(error);
    let text =
        format!("the connection was lost ({reason}); repeat the command, which adds nothing twice");
    Error::new(address, text)
}

/// Whether the connection was lost.
fn is_lost(error: &::postgres::Error) -> bool {
    let is_last = error.code().is_some_and(|code| LAST_WORDS.contains(code));
    let is_broken = error.source().is_some_and(|cause| cause.is::<io::Error>());
    is_last || is_broken || error.is_closed()
}
