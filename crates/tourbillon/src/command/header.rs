//! What is known before the first measurement: the header of the run.

use tourbillon_clock::wall;
use tourbillon_record::{ClockFacts, Header, RunSettings};
use tourbillon_stats::Rng;

use super::arguments::arguments;
use crate::lasting::Handed;
use crate::platform;
use crate::registry::Origin;
use crate::text::owned;

/// The header of a run that begins now.
#[inline(never)]
pub(crate) fn header(
    home: &Origin,
    cases: usize,
    seed: u64,
    settings: Handed<RunSettings>,
    clock: Handed<ClockFacts>,
) -> Header {
    let now = wall::unix_ns();
    let facts = Handed::new(platform::facts(home.compiler));
    let mut command = Handed::new(Vec::new());
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
        command: Handed::into_inner(command),
        seed,
        cases: cases as u64,
        settings: Handed::into_inner(settings),
        clock: Handed::into_inner(clock),
        facts: Handed::into_inner(facts),
        unknown: String::new(),
    }
}

/// A new seed: 32 bits, so that it is short enough to be typed.
pub(crate) fn new_seed() -> u64 {
    // Runs that begin at one moment are different processes.
    let process = u64::from(std::process::id()).rotate_left(40);
    Rng::new(wall::unix_ns() ^ process).next_u64() >> 32
}
