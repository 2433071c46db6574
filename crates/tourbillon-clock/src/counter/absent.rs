//! Processors whose counter is not read yet: there is nothing to hold.

use crate::Ticks;

/// No counter: a type without values, so that every branch for it is known to be dead.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counter {}

impl Counter {
    /// Never shown, as there is never a counter to ask.
    pub(crate) const NAME: &str = "none";

    /// There is none.
    pub(crate) fn of_this_processor() -> Option<Counter> {
        None
    }

    /// Cannot be called.
    pub(crate) fn start(&self) -> Ticks {
        match *self {}
    }

    /// Cannot be called.
    pub(crate) fn stop(&self) -> Ticks {
        match *self {}
    }

    /// Cannot be called.
    pub(crate) fn now(&self) -> Ticks {
        match *self {}
    }
}
