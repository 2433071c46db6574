//! Processors whose counter is not read yet: there is nothing to hold.

use crate::Ticks;

/// No counter: a type without values, so that every branch for it is known to be dead.
#[derive(Clone, Copy, Debug)]
pub enum Counter {}

impl Counter {
    /// Never shown, as there is never a counter to ask.
    pub const NAME: &str = "none";

    /// There is none.
    pub fn of_this_processor() -> Option<Counter> {
        None
    }

    /// Cannot be called.
    pub fn start(&self) -> Ticks {
        match *self {}
    }

    /// Cannot be called.
    pub fn stop(&self) -> Ticks {
        match *self {}
    }

    /// Cannot be called.
    pub fn now(&self) -> Ticks {
        match *self {}
    }
}
