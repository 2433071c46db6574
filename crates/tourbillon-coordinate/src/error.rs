use std::fmt;
use std::io;

use tourbillon_os::is_closed;

/// Why a worker could not be had, or could not be talked to.
#[derive(Debug)]
pub struct Error {
    what: String,
    cause: Option<io::Error>,
}

impl Error {
    /// An error that is told in a sentence.
    pub fn new(what: impl Into<String>) -> Error {
        Error {
            what: what.into(),
            cause: None,
        }
    }

    pub(crate) fn io(what: impl Into<String>, cause: io::Error) -> Error {
        Error {
            what: what.into(),
            cause: Some(cause),
        }
    }

    /// Whether the other side has closed its end, as it does when it is gone.
    pub fn is_closed(&self) -> bool {
        self.cause.as_ref().is_some_and(is_closed)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match &self.cause {
            Some(cause) => write!(f, ": {cause}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| cause as _)
    }
}
