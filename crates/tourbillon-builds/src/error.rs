//! Errors and messages.

use std::path::Path;
use std::{fmt, io};

/// Receives messages for the user: complete lines.
pub type Log = fn(&str);

/// The result of this crate's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a build cannot be made or used, and the remedy.
#[derive(Debug)]
pub enum Error {
    /// A mistake on the command line.
    Usage(String),
    /// The subject has no bench target that uses tourbillon.
    NoBenchmarks(String),
    /// This machine or a file does not allow it.
    Environment(String),
    /// Cargo failed and printed the reason: its exit code, and what to add.
    Cargo(u8, String),
    /// A signal ended cargo or what it had started, as where there is too little memory: nothing is known of the code.
    Ended(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(text)
            | Error::NoBenchmarks(text)
            | Error::Environment(text)
            | Error::Cargo(_, text)
            | Error::Ended(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}

/// An error about a file or folder of the cache: what could not be `done` to it, and the remedy.
pub(crate) fn refused(path: &Path, done: &str, error: &io::Error) -> Error {
    let remedy = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room there",
        _ => "make it writable",
    };
    Error::Environment(format!(
        "{path:?} cannot be {done}: {error}; {remedy}, or name another folder for the cache with the \
         variable TOURBILLON_CACHE"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_remedy() {
        let message = |kind: io::ErrorKind| refused(Path::new("/c"), "written", &kind.into());
        let full = message(io::ErrorKind::StorageFull).to_string();
        assert!(full.contains("; make room there, or name"), "{full}");
        assert!(full.ends_with("the variable TOURBILLON_CACHE"), "{full}");
        let refused = message(io::ErrorKind::ReadOnlyFilesystem).to_string();
        assert!(refused.contains("make it writable"), "{refused}");
    }
}
