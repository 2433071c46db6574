//! What can go wrong with an archive or an index.

use std::fmt;

use tourbillon_tool::exit::Stop;

/// An error, with the file or server that it is about.
#[derive(Debug)]
pub struct Error {
    what: String,
    place: String,
    kind: Kind,
}

/// What follows from an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Other,
    /// A file or folder may not be written.
    Denied,
    /// What is to be added does not fit into the tables of a server.
    #[cfg(feature = "postgres")]
    Unfit,
    /// A server cannot be reached, or its connection was lost: a later attempt may succeed.
    #[cfg(feature = "postgres")]
    Lost,
}

impl Error {
    pub(crate) fn new(place: &(impl fmt::Debug + ?Sized), what: impl fmt::Display) -> Error {
        Error {
            what: what.to_string(),
            place: format!("{place:?}"),
            kind: Kind::Other,
        }
    }

    /// Of a file or folder that may not be written, or has no room.
    #[cfg(feature = "sqlite")]
    pub(crate) fn denied(self, is_denied: bool) -> Error {
        let kind = if is_denied { Kind::Denied } else { self.kind };
        Error { kind, ..self }
    }

    /// Whether the file or folder may not be written, or has no room: its permissions, a file system that is
    /// read-only, a full disk.
    pub fn is_denied(&self) -> bool {
        self.kind == Kind::Denied
    }

    /// Of a server that cannot be reached, or whose connection was lost.
    #[cfg(feature = "postgres")]
    pub(crate) fn lost(self, is_lost: bool) -> Error {
        let kind = if is_lost { Kind::Lost } else { self.kind };
        Error { kind, ..self }
    }

    /// Whether a server could not be reached.
    pub(crate) fn is_lost(&self) -> bool {
        #[cfg(feature = "postgres")]
        let is_lost = self.kind == Kind::Lost;
        #[cfg(not(feature = "postgres"))]
        let is_lost = false;
        is_lost
    }

    /// Of a value that the tables of a server cannot hold.
    #[cfg(feature = "postgres")]
    pub(crate) fn unfit(self, is_unfit: bool) -> Error {
        let kind = if is_unfit { Kind::Unfit } else { self.kind };
        Error { kind, ..self }
    }

    /// Whether the tables of a server cannot hold a value.
    pub(crate) fn is_unfit(&self) -> bool {
        #[cfg(feature = "postgres")]
        let is_unfit = self.kind == Kind::Unfit;
        #[cfg(not(feature = "postgres"))]
        let is_unfit = false;
        is_unfit
    }

    /// What is wrong, without the place.
    pub fn what(&self) -> &str {
        &self.what
    }
}

/// Whether the system refuses to write, or has no room.
#[cfg(feature = "sqlite")]
pub(crate) fn is_denial(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{
        FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
    };
    matches!(
        error.kind(),
        PermissionDenied | ReadOnlyFilesystem | StorageFull | QuotaExceeded | FileTooLarge
    )
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Environment(error.to_string())
    }
}

impl std::error::Error for Error {}
