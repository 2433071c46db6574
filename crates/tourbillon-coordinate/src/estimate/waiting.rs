//! Code that waits for memory: its time does not follow the core's clock, so its cycles do.

use tourbillon_record::{CaseResult, Note, Visit};
use tourbillon_stats::{mad, median};

use super::launch::{Figure, Launch, values};

/// How much more one scatters than the other before that is no chance.
const CLEARLY: f64 = 1.3;

/// Says that cycles are of code that waits for memory: it touches more than a core's own caches hold, and
/// from launch to launch it does not follow the core's clock. `time` is the scatter of its time.
#[inline(never)]
pub(crate) fn waiting(
    cycles: &CaseResult,
    time: f64,
    visits: &[Visit],
    launches: &[Launch],
    cache_bytes: u64,
) -> Option<Note> {
    for visit in visits {
        if let Some(touched_bytes) = visit.touched_bytes
            && touched_bytes >= cache_bytes
        {
            let follows = follows_core(scatter(cycles)?, time, launches)?;
            return if follows {
                None
            } else {
                Some(Note::WaitsForMemory { touched_bytes })
            };
        }
    }
    None
}

/// Whether a case follows the core's clock, by the scatter of its cycles and of its time.
///
/// It does if its cycles are steadier than the clock, and not clearly less so than its time: they could not be
/// if times were independent of the clock, for then its scatter would be a part of theirs. Cycles that are
/// clearly steadier than its time need not be quite so steady, but what the clock cannot have brought about is
/// chance.
fn follows_core(cycles: f64, time: f64, launches: &[Launch]) -> Option<bool> {
    let clocks = values(launches, Figure::Scale)?;
    let clock = mad(&clocks) / median(&clocks);
    let steady = cycles < clock && cycles < time * CLEARLY;
    Some(steady || (cycles < 2.0 * clock && cycles * CLEARLY < time))
}

/// How far apart launches are, as a fraction; `None` where there is no figure.
pub(crate) fn scatter(result: &CaseResult) -> Option<f64> {
    Some(result.mad? / result.estimate.ok()?)
}
