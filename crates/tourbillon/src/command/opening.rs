//! What is known before the first measurement: the header of the run.

use tourbillon_clock::wall;
use tourbillon_record::{ClockFacts, Header, RunSettings};
use tourbillon_stats::Rng;

use super::arguments::arguments;
use crate::lasting::Lasting;
use crate::platform;
use crate::registry::Origin;
use crate::text::owned;

/// The header of a run that begins now.
#[inline(never)]
pub(crate) fn header(
    home: &Origin,
    cases: usize,
    seed: u64,
    settings: Lasting<RunSettings>,
    clock: Lasting<ClockFacts>,
) -> Header {
    let now = wall::unix_ns();
    let facts = Lasting::new(platform::facts(home.compiler));
    let mut command = Lasting::new(Vec::new());
    for argument in &*arguments() {
        command.push(owned(&argument.to_string_lossy()));
    }
    Header {
        tourbillon: owned(env!("CARGO_PKG_VERSION")),
        engine: owned(tourbillon_engine::IDENTITY),
        started_unix_ns: now,
        started: wall::local_rfc3339(now),
        package: owned(home.package()),
        target: owned(home.target()),
        command: Lasting::into_inner(command),
        seed,
        cases: cases as u64,
        settings: Lasting::into_inner(settings),
        clock: Lasting::into_inner(clock),
        facts: Lasting::into_inner(facts),
        unknown: String::new(),
    }
}

/// A new seed: 32 bits, so that it is short enough to be typed.
pub(crate) fn new_seed() -> u64 {
    // Runs that begin at one moment are different processes.
    let process = u64::from(std::process::id()).rotate_left(40);
    Rng::new(wall::unix_ns() ^ process).next_u64() >> 32
}
