//! What can go wrong with an archive or an index.

use std::fmt;

/// An error, with the file or server that it is about.
#[derive(Debug)]
pub struct Error {
    what: String,
    place: String,
    #[cfg(feature = "postgres")]
    is_lost: bool,
}

impl Error {
    pub(crate) fn new(place: &(impl fmt::Debug + ?Sized), what: impl fmt::Display) -> Error {
        Error {
            what: what.to_string(),
            place: format!("{place:?}"),
            #[cfg(feature = "postgres")]
            is_lost: false,
        }
    }

    /// Of a server that cannot be reached, or whose connection was lost: a later attempt may succeed.
    #[cfg(feature = "postgres")]
    pub(crate) fn lost(self, is_lost: bool) -> Error {
        Error { is_lost, ..self }
    }

    /// Whether a server could not be reached.
    #[cfg(feature = "postgres")]
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl std::error::Error for Error {}
