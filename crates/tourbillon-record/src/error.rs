//! Why a line of a record cannot be read.

use std::fmt;
use std::str::Utf8Error;

/// Why a line, a frame or a stored run could not be read.
///
/// One type for everything that this crate reads, with predicates for what a caller may want to treat
/// differently. The text names what was found and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

/// Behind a pointer: every function that reads a field returns a result.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: Kind,
    what: String,
    offset: Option<usize>,
    line: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Malformed,
    UnknownType,
    OtherSchema,
    Foreign,
    Incomplete,
}

impl Error {
    #[cold]
    pub(crate) fn malformed(what: &str, offset: usize) -> Error {
        let mut error = Error::new(Kind::Malformed, format!("{what}, at byte {offset}"));
        error.0.offset = Some(offset);
        error
    }

    #[cold]
    pub(crate) fn not_utf8(error: Utf8Error) -> Error {
        Error::malformed("not UTF-8", error.valid_up_to())
    }

    #[cold]
    pub(crate) fn unknown_type(name: &str) -> Error {
        let name = shortened(name);
        let what = format!("unknown type {name:?}; a newer tourbillon may have written it");
        Error::new(Kind::UnknownType, what)
    }

    #[cold]
    pub(crate) fn other_schema(found: u64, known: u32) -> Error {
        let remedy = if found > known.into() {
            "read it with the tourbillon that wrote it or a newer one"
        } else {
            "no release wrote it: measure again"
        };
        let what =
            format!("written in schema {found}, this version reads schema {known}; {remedy}");
        Error::new(Kind::OtherSchema, what)
    }

    #[cold]
    pub(crate) fn foreign() -> Error {
        let what = "not a run stored by tourbillon: its first line is not a header";
        Error::new(Kind::Foreign, what.to_owned())
    }

    #[cold]
    pub(crate) fn incomplete() -> Error {
        let what = "the run ended before its first line was written; it holds no data";
        Error::new(Kind::Incomplete, what.to_owned())
    }

    fn new(kind: Kind, what: String) -> Error {
        Error(Box::new(Inner {
            kind,
            what,
            offset: None,
            line: None,
        }))
    }

    /// Adds the number of the line in its file, from 1.
    pub(crate) fn at_line(mut self, line: usize) -> Error {
        self.0.line = Some(line);
        self
    }

    /// Whether the line is of an unknown type; a reader may skip it.
    pub fn is_unknown_type(&self) -> bool {
        self.0.kind == Kind::UnknownType
    }

    /// Whether another version wrote this, in a schema that this one cannot read.
    pub fn is_other_schema(&self) -> bool {
        self.0.kind == Kind::OtherSchema
    }

    /// Whether the line is damaged: not JSON, or a field is missing or of the wrong type.
    pub fn is_malformed(&self) -> bool {
        self.0.kind == Kind::Malformed
    }

    /// Whether the file is not a stored run at all.
    pub fn is_foreign(&self) -> bool {
        self.0.kind == Kind::Foreign
    }

    /// Whether the run ended before its first line was written: it holds no data.
    pub fn is_incomplete(&self) -> bool {
        self.0.kind == Kind::Incomplete
    }

    /// Number of the line in its file, from 1; `None` where a single line was read.
    pub fn line(&self) -> Option<usize> {
        self.0.line
    }

    /// Where in the line, in bytes from its start; `None` where the error has no place.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.0.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.0.what)
    }
}

impl std::error::Error for Error {}

/// The start of a text, short enough for a message.
pub(crate) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push_str("..");
    }
    short
}
