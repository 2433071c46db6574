//! Code that waits for memory: its time does not follow the core's clock, so its cycles do.

use tourbillon_record::{CaseResult, Note, Visit};
use tourbillon_stats::{mad, median};

use super::launch::{Figure, Launch, values};

/// How much more one scatters than the other before that is no chance.
const CLEARLY: f64 = 1.3;
/// Bytes that a processor fetches at once, and nanoseconds that it takes to do so from far away.
const LINE: (f64, f64) = (64.0, 50.0);
/// How far apart launches of code that computes hardly ever are, as a fraction.
const FAR: f64 = 0.03;

/// Says that cycles are of code that waits for memory: it touches more than a core's own caches hold, and
/// does not seem to follow the core's clock.
#[inline(never)]
pub(crate) fn waiting(
    cycles: &CaseResult,
    time: &CaseResult,
    visits: &[Visit],
    launches: &[Launch],
    cache_bytes: u64,
) -> Option<Note> {
    for visit in visits {
        if let Some(touched_bytes) = visit.touched_bytes
            && touched_bytes >= cache_bytes
        {
            let (cycles, scatter_of_time) = (scatter(cycles)?, scatter(time)?);
            let call_ns = time.estimate.ok()? * visit.ops_per_iteration as f64;
            // There is time to wait for each of them and to compute as long.
            let computes = call_ns / LINE.1 > touched_bytes as f64 / LINE.0;
            let follows = if computes {
                cycles < FAR
            } else {
                follows_core(cycles, scatter_of_time, launches)?
            };
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
fn scatter(result: &CaseResult) -> Option<f64> {
    Some(result.mad? / result.estimate.ok()?)
}
