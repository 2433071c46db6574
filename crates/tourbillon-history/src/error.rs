use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why something could not be stored, or the store not be found.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    path: PathBuf,
}

#[derive(Debug)]
enum Kind {
    NoPlace,
    EmptyFlag,
    Create(io::Error),
    Append(io::Error),
    List(io::Error),
    Prune(io::Error),
}

impl Error {
    #[cold]
    pub(crate) fn no_place(executable: &Path) -> Error {
        Error {
            kind: Kind::NoPlace,
            path: executable.to_owned(),
        }
    }

    #[cold]
    pub(crate) fn empty_flag() -> Error {
        Error {
            kind: Kind::EmptyFlag,
            path: PathBuf::new(),
        }
    }

    #[cold]
    pub(crate) fn create(path: &Path, error: io::Error) -> Error {
        Error {
            kind: Kind::Create(error),
            path: path.to_owned(),
        }
    }

    #[cold]
    pub(crate) fn append(path: &Path, error: io::Error) -> Error {
        Error {
            kind: Kind::Append(error),
            path: path.to_owned(),
        }
    }

    #[cold]
    pub(crate) fn list(path: &Path, error: io::Error) -> Error {
        Error {
            kind: Kind::List(error),
            path: path.to_owned(),
        }
    }

    #[cold]
    pub(crate) fn prune(path: &Path, error: io::Error) -> Error {
        Error {
            kind: Kind::Prune(error),
            path: path.to_owned(),
        }
    }

    /// Whether no place for the store could be made out.
    pub fn is_no_place(&self) -> bool {
        matches!(self.kind, Kind::NoPlace | Kind::EmptyFlag)
    }

    /// Whether the disk, a quota or a limit on the size of files left no room.
    pub fn is_full(&self) -> bool {
        self.source_kind().is_some_and(|kind| {
            use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
            matches!(kind, StorageFull | QuotaExceeded | FileTooLarge)
        })
    }

    /// Whether the place may not be written: its rights, or a file system that is read-only.
    pub fn is_denied(&self) -> bool {
        self.source_kind().is_some_and(|kind| {
            use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
            matches!(kind, PermissionDenied | ReadOnlyFilesystem)
        })
    }

    /// The file or folder that this is about.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn source_kind(&self) -> Option<io::ErrorKind> {
        self.io().map(io::Error::kind)
    }

    fn io(&self) -> Option<&io::Error> {
        match &self.kind {
            Kind::NoPlace | Kind::EmptyFlag => None,
            Kind::Create(error) | Kind::Append(error) | Kind::List(error) | Kind::Prune(error) => {
                Some(error)
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Debug form: a path may hold control characters.
        let path = &self.path;
        match &self.kind {
            Kind::NoPlace => write!(
                f,
                "no cargo target directory around {path:?} to keep runs in; \
                 name a place with --store DIR or TOURBILLON_STORE"
            ),
            Kind::EmptyFlag => write!(f, "--store is empty; give it a directory"),
            Kind::Create(error) => write!(
                f,
                "cannot create {path:?}: {error}; this run is not stored, \
                 name another place with --store DIR or TOURBILLON_STORE"
            ),
            Kind::Append(error) => write!(
                f,
                "cannot write to {path:?}: {error}; the run goes on and is not stored any further, \
                 what was stored so far is whole; make room or name another place with --store DIR"
            ),
            Kind::List(error) => write!(
                f,
                "cannot list the runs in {path:?}: {error}; check its rights or name another place \
                 with --store DIR"
            ),
            Kind::Prune(error) => write!(
                f,
                "cannot remove the old run {path:?}: {error}; remove it by hand or check its rights"
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.io().map(|error| error as _)
    }
}
