//! Systems that keep no area for restartable sequences.

use super::Undetected;

/// There is none: a type without values.
#[derive(Debug)]
pub(super) enum Area {}

impl Area {
    pub(super) fn of_this_thread() -> Result<Area, Undetected> {
        Err(Undetected::because(
            "this system has no restartable sequences, which only Linux has",
        ))
    }

    pub(super) fn place(&self) {
        match *self {}
    }

    pub(super) fn is_in_place(&self) -> bool {
        match *self {}
    }

    pub(super) fn cpu(&self) -> u32 {
        match *self {}
    }
}
