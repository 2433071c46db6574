//! Why something could not be stored.

use std::error::Error as StdError;
use std::io::ErrorKind::{
    FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
};
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why something could not be stored, or the store not be found.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    path: PathBuf,
    /// The system's error; `None` where it was not involved.
    source: Option<io::Error>,
}

/// What failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    NoPlace,
    EmptyFlag,
    Create,
    Append,
    Damaged,
    List,
    Prune,
    Save,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: Kind, path: &Path, source: impl Into<Option<io::Error>>) -> Error {
        Error {
            kind,
            path: path.to_owned(),
            source: source.into(),
        }
    }

    /// Whether there is no place for the store.
    pub fn is_no_place(&self) -> bool {
        matches!(self.kind, Kind::NoPlace | Kind::EmptyFlag)
    }

    /// Whether the disk, a quota or a limit on the size of files left no room.
    pub fn is_full(&self) -> bool {
        matches!(
            self.source_kind(),
            Some(StorageFull | QuotaExceeded | FileTooLarge)
        )
    }

    /// Whether the place may not be written: its permissions, or a file system that is read-only.
    pub fn is_denied(&self) -> bool {
        matches!(
            self.source_kind(),
            Some(PermissionDenied | ReadOnlyFilesystem)
        )
    }

    /// The file or folder that this is about.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn source_kind(&self) -> Option<io::ErrorKind> {
        self.source.as_ref().map(io::Error::kind)
    }

    /// What failed, before the path, and what to do, after the system's error.
    fn words(&self) -> (&'static str, &'static str) {
        match self.kind {
            Kind::NoPlace => (
                "found no cargo target directory above",
                " for the store; name a directory with --store DIR or TOURBILLON_STORE",
            ),
            Kind::EmptyFlag => ("--store is empty; give it a directory", ""),
            Kind::Create => (
                "cannot create",
                "; this run is not stored, name another directory with --store DIR or \
                 TOURBILLON_STORE",
            ),
            Kind::Append => (
                "cannot write to",
                "; the run goes on, but the rest of it is not stored; free some space, or name \
                 another directory with --store DIR",
            ),
            Kind::Damaged => (
                "the record was damaged during the run,",
                "; measure again, and keep other programs out of the store",
            ),
            Kind::List => (
                "cannot list the runs in",
                "; check its permissions, or name another directory with --store DIR",
            ),
            Kind::Prune => (
                "cannot remove the old run",
                "; remove it by hand, or check its permissions",
            ),
            Kind::Save => (
                "cannot save the run as",
                "; it is stored, but not under that name; free some space, or check the \
                 permissions of the folder",
            ),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, advice) = self.words();
        // Debug form: a path may hold control characters.
        let path = &self.path;
        match &self.source {
            None if self.kind == Kind::EmptyFlag => f.write_str(what),
            None => write!(f, "{what} {path:?}{advice}"),
            Some(source) => write!(f, "{what} {path:?}: {source}{advice}"),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}
