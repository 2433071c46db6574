use std::cell::Cell;

use crate::Error;

/// The first thing that is wrong with a line; what comes after it does not count.
///
/// A field that is not as it should be leaves its error here, and the reading goes on with a
/// stand-in: an empty text, a zero. So a type is read by one plain expression. With a way out at
/// every field, each of which has to drop all the fields before it, it took three times the code.
#[derive(Default)]
pub(super) struct FirstError(Cell<Option<Error>>);

impl FirstError {
    #[cold]
    #[inline(never)]
    pub(super) fn note(&self, error: Error) {
        let first = self.0.take().unwrap_or(error);
        self.0.set(Some(first));
    }

    /// Whether nothing was wrong so far.
    pub(super) fn is_none(&self) -> bool {
        let first = self.0.take();
        let none = first.is_none();
        self.0.set(first);
        none
    }

    /// The error, if something was wrong.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.0.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}
