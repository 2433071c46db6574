//! Paths by which two names of a file are known to be of one.

use std::path::{Path, PathBuf};

/// A path without links; as it is where nothing is.
pub(crate) fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
