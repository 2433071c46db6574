use std::fmt;

use crate::SCHEMA;

/// Why a line, a frame or a stored run could not be read.
///
/// One type for everything that this crate reads; the predicates tell apart what a caller may want
/// to treat differently. The text says what was found and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

/// Behind a pointer: every function that reads a field passes a result on, and a result with a large
/// error is moved about by every one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: Kind,
    line: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Malformed { what: String, offset: usize },
    UnknownType { name: String },
    NewerSchema { found: u64 },
    Foreign { what: String },
    Incomplete,
}

impl Error {
    #[cold]
    pub(crate) fn malformed(what: impl Into<String>, offset: usize) -> Error {
        Error::new(Kind::Malformed {
            what: what.into(),
            offset,
        })
    }

    #[cold]
    pub(crate) fn unknown_type(name: String) -> Error {
        Error::new(Kind::UnknownType { name })
    }

    #[cold]
    pub(crate) fn newer_schema(found: u64) -> Error {
        Error::new(Kind::NewerSchema { found })
    }

    #[cold]
    pub(crate) fn foreign(what: impl Into<String>) -> Error {
        Error::new(Kind::Foreign { what: what.into() })
    }

    #[cold]
    pub(crate) fn incomplete() -> Error {
        Error::new(Kind::Incomplete)
    }

    fn new(kind: Kind) -> Error {
        Error(Box::new(Inner { kind, line: None }))
    }

    /// Adds the number of the line in its file, from 1.
    pub(crate) fn at_line(mut self, line: usize) -> Error {
        self.0.line = Some(line);
        self
    }

    /// Whether the line is of a type that this version does not know; a reader may skip it.
    pub fn is_unknown_type(&self) -> bool {
        matches!(self.0.kind, Kind::UnknownType { .. })
    }

    /// Whether a newer version wrote this, in a form that this one cannot read.
    pub fn is_newer_schema(&self) -> bool {
        matches!(self.0.kind, Kind::NewerSchema { .. })
    }

    /// Whether the line is damaged: no JSON, or a field is missing or of the wrong kind.
    pub fn is_malformed(&self) -> bool {
        matches!(self.0.kind, Kind::Malformed { .. })
    }

    /// Whether the file is not a stored run at all.
    pub fn is_foreign(&self) -> bool {
        matches!(self.0.kind, Kind::Foreign { .. })
    }

    /// Whether the run ended before its first line was written: there is nothing in it.
    pub fn is_incomplete(&self) -> bool {
        matches!(self.0.kind, Kind::Incomplete)
    }

    /// Number of the line in its file, from 1; `None` where a single line was read.
    pub fn line(&self) -> Option<usize> {
        self.0.line
    }

    /// Where in the line, in bytes from its start; `None` where no one place is to blame.
    pub fn offset(&self) -> Option<usize> {
        match self.0.kind {
            Kind::Malformed { offset, .. } => Some(offset),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.0.line {
            write!(f, "line {line}: ")?;
        }
        match &self.0.kind {
            Kind::Malformed { what, offset } => write!(f, "{what}, at byte {offset}"),
            Kind::UnknownType { name } => {
                write!(
                    f,
                    "unknown type {name:?}; a newer tourbillon may have written it"
                )
            }
            Kind::NewerSchema { found } => write!(
                f,
                "written in schema {found}, this version reads up to schema {SCHEMA}; \
                 read it with the tourbillon that wrote it or a newer one"
            ),
            Kind::Foreign { what } => write!(f, "not a run stored by tourbillon: {what}"),
            Kind::Incomplete => {
                write!(
                    f,
                    "the run ended before its first line was written; nothing is in it"
                )
            }
        }
    }
}

impl std::error::Error for Error {}
