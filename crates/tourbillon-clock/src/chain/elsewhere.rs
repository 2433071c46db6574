//! No instruction of known cost is known for this processor.

use crate::{Clock, Ticks};

/// None.
pub(super) fn additions(_clock: &Clock, _turns: u64) -> Option<(Ticks, Ticks)> {
    None
}

/// None.
pub(super) fn multiplications(_clock: &Clock, _turns: u64) -> Option<(Ticks, Ticks)> {
    None
}
