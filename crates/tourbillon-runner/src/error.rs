use std::fmt;
use std::io;

use tourbillon_os::is_closed;

/// Why a worker could not be had, or could not be talked to.
#[derive(Debug)]
pub struct Error {
    what: String,
    closed: bool,
}

impl Error {
    /// An error that is told in a sentence.
    pub fn new(what: impl Into<String>) -> Error {
        Error {
            what: what.into(),
            closed: false,
        }
    }

    /// What failed, and what the system said.
    #[inline(never)]
    pub(crate) fn io(what: &str, cause: io::Error) -> Error {
        Error {
            what: format!("{what}: {cause}"),
            closed: is_closed(&cause),
        }
    }

    /// Whether the other side has closed its end, as it does when it is gone.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Error {}
