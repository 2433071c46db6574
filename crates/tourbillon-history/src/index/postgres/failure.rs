//! Errors of a server.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use tokio_postgres::error::SqlState;

use super::address::ServerAddress;
use super::client::ServerError;
use super::reason::reason;
use crate::index::Error;

/// What a server reports that is closing a connection, or is not ready for one.
const ABSENT: [SqlState; 4] = [
    SqlState::ADMIN_SHUTDOWN,
    SqlState::CRASH_SHUTDOWN,
    SqlState::CANNOT_CONNECT_NOW,
    SqlState::IDLE_SESSION_TIMEOUT,
];

/// The error of a statement. That of a lost connection says what to do.
pub(crate) fn failed(address: &ServerAddress, error: &ServerError) -> Error {
    let ServerError::Reported(reported) = error else {
        return silent_or(address, error, "answer_timeout");
    };
    let reason = reason(reported);
    if is_lost(reported) {
        let text = format!(
            "the connection was lost ({reason}); repeat the command, which adds nothing twice"
        );
        return Error::new(address, text).lost(true);
    }
    if reported.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) {
        let what = "the role lacks a right; the owner of the tables gives it with the SQL of \
                    `cargo tourbillon history grant append ROLE`";
        return Error::new(address, format!("{reason}: {what}"));
    }
    if reported.code() == Some(&SqlState::UNIQUE_VIOLATION) {
        let what = "another program added that row; the owner of the tables removes it, or all of them with DROP \
                    SCHEMA tourbillon CASCADE: the next command makes them anew from the records";
        return Error::new(address, format!("{reason}: {what}"));
    }
    Error::new(address, reason).unfit(is_of_value(reported))
}

/// Whether a value is too long for an index, or has letters that the encoding of the database does not have: of the
/// classes of data exceptions and of exceeded limits.
fn is_of_value(error: &tokio_postgres::Error) -> bool {
    let code = error.code().map_or("", SqlState::code);
    code.starts_with("22") || code == SqlState::PROGRAM_LIMIT_EXCEEDED.code()
}

/// The error of a connection that was not made.
pub(super) fn not_connected(address: &ServerAddress, error: &ServerError) -> Error {
    let ServerError::Reported(reported) = error else {
        return silent_or(address, error, CONNECT);
    };
    let mut text = reason(reported);
    if source(reported).is_some_and(|cause| cause.kind() == io::ErrorKind::TimedOut) {
        text += &remedy(CONNECT);
    }
    Error::new(address, text).lost(is_lost(reported))
}

/// The parameter with the limit for a connection.
const CONNECT: &str = "connect_timeout";

/// What to do about a limit.
fn remedy(parameter: &str) -> String {
    format!("; {parameter}=SECONDS in the address sets another limit")
}

/// The error that there is no answer, within a limit that a parameter sets, or no connection at all.
fn silent_or(address: &ServerAddress, error: &ServerError, parameter: &str) -> Error {
    match error {
        ServerError::Silent(limit) => {
            let text = format!("no answer within {}{}", time(*limit), remedy(parameter));
            Error::new(address, text).lost(true)
        }
        ServerError::Endless(most) => {
            let text = format!("an answer has more than {most} bytes, the limit for one");
            Error::new(address, text)
        }
        ServerError::Impossible(error) => Error::new(address, error),
        ServerError::Reported(error) => Error::new(address, reason(error)),
    }
}

fn time(limit: Duration) -> String {
    match limit.subsec_millis() {
        0 => format!("{} s", limit.as_secs()),
        _ => format!("{} ms", limit.as_millis()),
    }
}

/// The error of the system that caused one.
fn source(error: &tokio_postgres::Error) -> Option<&io::Error> {
    error.source()?.downcast_ref()
}

/// Whether the server cannot be reached, which may be another way later.
fn is_lost(error: &tokio_postgres::Error) -> bool {
    let is_absent = error.code().is_some_and(|code| ABSENT.contains(code));
    // A certificate that is not accepted is an error of input and output, too.
    let is_broken = source(error).is_some_and(|cause| cause.kind() != io::ErrorKind::InvalidData);
    is_absent || is_broken || error.is_closed()
}
