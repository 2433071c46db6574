//! Errors of a server.

use std::error::Error as _;
use std::io;

use ::postgres::error::SqlState;

use super::address::ServerAddress;
use super::reason::reason;
use crate::Error;

/// What a server reports that is closing a connection, or is not ready for one.
const ABSENT: [SqlState; 4] = [
    SqlState::ADMIN_SHUTDOWN,
    SqlState::CRASH_SHUTDOWN,
    SqlState::CANNOT_CONNECT_NOW,
    SqlState::IDLE_SESSION_TIMEOUT,
];

/// The error of a statement. That of a lost connection says what to do.
pub(crate) fn failed(address: &ServerAddress, error: &::postgres::Error) -> Error {
    if !is_lost(error) {
        return Error::new(address, reason(error));
    }
    let reason = reason(error);
    let text =
        format!("the connection was lost ({reason}); repeat the command, which adds nothing twice");
    Error::new(address, text).lost(true)
}

/// The error of a connection that was not made.
pub(super) fn not_connected(address: &ServerAddress, error: &::postgres::Error) -> Error {
    Error::new(address, reason(error)).lost(is_lost(error))
}

/// Whether the server cannot be reached, which may be another way later.
fn is_lost(error: &::postgres::Error) -> bool {
    let is_absent = error.code().is_some_and(|code| ABSENT.contains(code));
    // A certificate that is not accepted is an error of input and output, too.
    let is_broken = error.source().is_some_and(|cause| {
        let cause = cause.downcast_ref::<io::Error>();
        cause.is_some_and(|cause| cause.kind() != io::ErrorKind::InvalidData)
    });
    is_absent || is_broken || error.is_closed()
}
