//! Why a figure of the operating system is missing.

use std::fmt;
use std::io;

/// A figure that this system does not give, and why.
#[derive(Debug)]
pub struct Unavailable {
    what: &'static str,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    /// The file that has it could not be used.
    File(&'static str, io::Error),
    /// The file has no such entry.
    NoEntry(&'static str),
    /// Only Linux has it.
    System,
}

impl Unavailable {
    #[cold]
    #[inline]
    pub(crate) fn file(what: &'static str, path: &'static str, error: io::Error) -> Self {
        let reason = Reason::File(path, error);
        Self { what, reason }
    }

    #[cold]
    #[inline]
    pub(crate) fn no_entry(what: &'static str, path: &'static str) -> Self {
        let reason = Reason::NoEntry(path);
        Self { what, reason }
    }

    #[cold]
    #[cfg_attr(
        target_os = "linux",
        expect(dead_code, reason = "Linux has all that is asked for here")
    )]
    #[inline]
    pub(crate) fn on_this_system(what: &'static str) -> Self {
        let reason = Reason::System;
        Self { what, reason }
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not available: ", self.what)?;
        match &self.reason {
            Reason::File(path, error) => {
                write!(
                    f,
                    "`{path}` cannot be used ({error}); let this process open it"
                )
            }
            Reason::NoEntry(path) => {
                write!(f, "`{path}` does not have it; a full Linux kernel does")
            }
            Reason::System => f.write_str("it is read on Linux only"),
        }
    }
}

impl std::error::Error for Unavailable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.reason {
            Reason::File(_, error) => Some(error),
            Reason::NoEntry(_) | Reason::System => None,
        }
    }
}
