use std::fmt;
use std::str::Utf8Error;

use crate::SCHEMA;
use crate::json::{push, put};

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
    what: String,
    offset: Option<usize>,
    line: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Malformed,
    UnknownType,
    NewerSchema,
    Foreign,
    Incomplete,
}

impl Error {
    #[cold]
    #[inline(never)]
    pub(crate) fn malformed(what: fmt::Arguments<'_>, offset: usize) -> Error {
        let mut error = Error::new(Kind::Malformed, format_args!("{what}, at byte {offset}"));
        error.0.offset = Some(offset);
        error
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn no_text(error: Utf8Error) -> Error {
        Error::malformed(format_args!("no UTF-8"), error.valid_up_to())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn unknown_type(name: &str) -> Error {
        let name = shortened(name);
        let what = format_args!("unknown type {name:?}; a newer tourbillon may have written it");
        Error::new(Kind::UnknownType, what)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn newer_schema(found: u64) -> Error {
        let what = format_args!(
            "written in schema {found}, this version reads up to schema {SCHEMA}; \
             read it with the tourbillon that wrote it or a newer one"
        );
        Error::new(Kind::NewerSchema, what)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn foreign(what: &str) -> Error {
        let what = format_args!("not a run stored by tourbillon: {what}");
        Error::new(Kind::Foreign, what)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn incomplete() -> Error {
        let what = "the run ended before its first line was written; nothing is in it";
        Error::new(Kind::Incomplete, format_args!("{what}"))
    }

    /// Takes what happened as arguments: a `format!` for each would be compiled for each.
    #[inline(never)]
    fn new(kind: Kind, what: fmt::Arguments<'_>) -> Error {
        let mut inner = Inner {
            kind,
            what: String::new(),
            offset: None,
            line: None,
        };
        put(&mut inner.what, what);
        Error(Box::new(inner))
    }

    /// Adds the number of the line in its file, from 1.
    pub(crate) fn at_line(mut self, line: usize) -> Error {
        self.0.line = Some(line);
        self
    }

    /// Whether the line is of a type that this version does not know; a reader may skip it.
    pub fn is_unknown_type(&self) -> bool {
        self.0.kind == Kind::UnknownType
    }

    /// Whether a newer version wrote this, in a form that this one cannot read.
    pub fn is_newer_schema(&self) -> bool {
        self.0.kind == Kind::NewerSchema
    }

    /// Whether the line is damaged: no JSON, or a field is missing or of the wrong kind.
    pub fn is_malformed(&self) -> bool {
        self.0.kind == Kind::Malformed
    }

    /// Whether the file is not a stored run at all.
    pub fn is_foreign(&self) -> bool {
        self.0.kind == Kind::Foreign
    }

    /// Whether the run ended before its first line was written: there is nothing in it.
    pub fn is_incomplete(&self) -> bool {
        self.0.kind == Kind::Incomplete
    }

    /// Number of the line in its file, from 1; `None` where a single line was read.
    pub fn line(&self) -> Option<usize> {
        self.0.line
    }

    /// Where in the line, in bytes from its start; `None` where no one place is to blame.
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
#[cold]
#[inline(never)]
pub(crate) fn shortened(text: &str) -> String {
    let mut end = text.len().min(40);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut short = String::new();
    push(&mut short, &text[..end]);
    if end < text.len() {
        push(&mut short, "..");
    }
    short
}
