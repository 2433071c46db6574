//! What can go wrong with an archive or an index.

use std::fmt;

/// An error, with the file or server that it is about.
#[derive(Debug)]
pub struct Error {
    what: String,
    place: String,
}

impl Error {
    pub(crate) fn new(place: &(impl fmt::Debug + ?Sized), what: impl fmt::Display) -> Error {
        Error {
            what: what.to_string(),
            place: format!("{place:?}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl std::error::Error for Error {}
