use tourbillon_clock::{Clock, Ticks};

use crate::loops::{UNROLLED, iterate};

/// Ticks of `ops` calls of an empty body in the unrolled loop; `ops` is a multiple of eight.
pub(crate) fn empty_body(clock: &Clock, ops: u64) -> Ticks {
    Ticks(iterate::<(), _, UNROLLED>(
        clock,
        &mut || (),
        ops / u64::from(UNROLLED),
    ))
}
