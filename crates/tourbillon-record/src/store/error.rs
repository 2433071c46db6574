use std::error::Error as StdError;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why something could not be stored, or the store not be found.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    path: PathBuf,
    /// What the system said; `None` where nobody asked it.
    source: Option<io::Error>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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
    #[inline(never)]
    fn new(kind: Kind, path: &Path, source: Option<io::Error>) -> Error {
        let path = path.to_owned();
        Error { kind, path, source }
    }

    #[cold]
    pub(crate) fn no_place(executable: &Path) -> Error {
        Error::new(Kind::NoPlace, executable, None)
    }

    #[cold]
    pub(crate) fn empty_flag() -> Error {
        Error::new(Kind::EmptyFlag, Path::new(""), None)
    }

    #[cold]
    pub(crate) fn create(path: &Path, error: io::Error) -> Error {
        Error::new(Kind::Create, path, Some(error))
    }

    #[cold]
    pub(crate) fn append(path: &Path, error: io::Error) -> Error {
        Error::new(Kind::Append, path, Some(error))
    }

    #[cold]
    pub(crate) fn damaged(path: &Path, what: &'static str) -> Error {
        Error::new(Kind::Damaged, path, Some(io::Error::other(what)))
    }

    #[cold]
    pub(crate) fn list(path: &Path, error: io::Error) -> Error {
        Error::new(Kind::List, path, Some(error))
    }

    #[cold]
    pub(crate) fn prune(path: &Path, error: io::Error) -> Error {
        Error::new(Kind::Prune, path, Some(error))
    }

    #[cold]
    pub(crate) fn save(path: &Path, error: io::Error) -> Error {
        Error::new(Kind::Save, path, Some(error))
    }

    /// Whether no place for the store could be made out.
    #[inline]
    pub fn is_no_place(&self) -> bool {
        matches!(self.kind, Kind::NoPlace | Kind::EmptyFlag)
    }

    /// Whether the disk, a quota or a limit on the size of files left no room.
    #[inline]
    pub fn is_full(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(
            self.source_kind(),
            Some(StorageFull | QuotaExceeded | FileTooLarge)
        )
    }

    /// Whether the place may not be written: its rights, or a file system that is read-only.
    #[inline]
    pub fn is_denied(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        matches!(
            self.source_kind(),
            Some(PermissionDenied | ReadOnlyFilesystem)
        )
    }

    /// The file or folder that this is about.
    pub fn path(&self) -> &Path {
        &self.path
    }

    #[inline]
    fn source_kind(&self) -> Option<io::ErrorKind> {
        self.source.as_ref().map(io::Error::kind)
    }

    /// What could not be done, before the path, and what to do, after what the system said.
    fn words(&self) -> (&'static str, &'static str) {
        match self.kind {
            Kind::NoPlace => (
                "no cargo target directory around",
                " to keep runs in; name a place with --store DIR or TOURBILLON_STORE",
            ),
            Kind::EmptyFlag => ("--store is empty; give it a directory", ""),
            Kind::Create => (
                "cannot create",
                "; this run is not stored, name another place with --store DIR or TOURBILLON_STORE",
            ),
            Kind::Append => (
                "cannot write to",
                "; the run goes on and is not stored any further, what was stored so far is whole; \
                 make room or name another place with --store DIR",
            ),
            Kind::Damaged => (
                "the record was damaged during the run,",
                "; measure again, and keep other programs out of the store",
            ),
            Kind::List => (
                "cannot list the runs in",
                "; check its rights or name another place with --store DIR",
            ),
            Kind::Prune => (
                "cannot remove the old run",
                "; remove it by hand or check its rights",
            ),
            Kind::Save => (
                "cannot save the run as",
                "; it is stored, but not under that name; make room or check the rights of the \
                 folder",
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
            None => put(f, format_args!("{what} {path:?}{advice}")),
            Some(source) => put(f, format_args!("{what} {path:?}: {source}{advice}")),
        }
    }
}

/// Writes formatted text; one function for all callers instead of the same code in each.
#[inline(never)]
fn put(f: &mut fmt::Formatter<'_>, arguments: fmt::Arguments<'_>) -> fmt::Result {
    f.write_fmt(arguments)
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.source {
            Some(source) => Some(source),
            None => None,
        }
    }
}
