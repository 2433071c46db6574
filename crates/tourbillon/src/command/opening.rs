//! What is known before the first measurement: the header of the run.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use tourbillon_clock::wall;
use tourbillon_record::{ClockFacts, Header, RunSettings};

use crate::platform;

/// The header of a run that begins now.
pub(crate) fn header(
    home: (&str, &str),
    cases: usize,
    seed: u64,
    settings: RunSettings,
    clock: ClockFacts,
) -> Header {
    let now = wall::unix_ns();
    Header {
        tourbillon: env!("CARGO_PKG_VERSION").to_owned(),
        engine: tourbillon_engine::IDENTITY.to_owned(),
        started_unix_ns: now,
        started: wall::local_rfc3339(now),
        package: home.0.to_owned(),
        target: home.1.to_owned(),
        command: std::env::args_os()
            .map(|arg| arg.to_string_lossy().into_owned())
            .collect(),
        seed,
        cases: cases as u64,
        settings,
        clock,
        facts: platform::facts(),
        unknown: Vec::new(),
    }
}

/// A new seed: 32 bits, so that it is short enough to be typed.
pub(crate) fn new_seed() -> u64 {
    // The standard library draws the keys of its maps from the system's random numbers.
    RandomState::new().build_hasher().finish() >> 32
}
