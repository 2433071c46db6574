//! What can go wrong with an archive or an index.

use std::fmt;
use std::path::{Path, PathBuf};

/// An error, with the file that it is about.
#[derive(Debug)]
pub struct Error {
    what: String,
    path: PathBuf,
}

impl Error {
    pub(crate) fn new(path: &Path, what: impl fmt::Display) -> Error {
        Error {
            what: what.to_string(),
            path: path.to_owned(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.path, self.what)
    }
}

impl std::error::Error for Error {}
