//! What is wrong with the registered functions as a whole.

use std::fmt;

/// A mistake that no single function shows to the compiler. A run with one does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// Two functions have a case with the same identity.
    SharedId {
        /// The identity.
        id: String,
        /// The function whose case came first.
        first: Place,
        /// The other one.
        second: Place,
    },
    /// Two cases of one function have the same identity.
    RepeatedId {
        /// The identity.
        id: String,
        /// The function.
        place: Place,
    },
    /// An axis has no values, so that the function has no cases.
    NoValues {
        /// The function: an identity without arguments.
        function: String,
        /// The axis.
        axis: &'static str,
        /// The function's place.
        place: Place,
    },
    /// Evaluating the values of an axis panicked.
    ValuesPanicked {
        /// The function: an identity without arguments.
        function: String,
        /// The function's place.
        place: Place,
        /// What the panic said, and where.
        panicked: String,
    },
}

/// Where a function stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Source file.
    pub file: &'static str,
    /// Line, from 1.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SharedId { id, first, second } => write!(
                f,
                "two cases are called `{id}`: one at {first}, one at {second}; \
                 give one of the functions another name, as in #[bench(name = \"..\")]"
            ),
            Self::RepeatedId { id, place } => write!(
                f,
                "two cases at {place} are called `{id}`; \
                 remove the value that comes twice, or make the values look different"
            ),
            Self::NoValues {
                function,
                axis,
                place,
            } => write!(
                f,
                "`{function}` at {place} has no cases: there are no values for `{axis}`; \
                 give it at least one"
            ),
            Self::ValuesPanicked {
                function,
                place,
                panicked,
            } => write!(
                f,
                "the values for `{function}` at {place} cannot be had: {panicked}"
            ),
        }
    }
}

impl std::error::Error for Problem {}
