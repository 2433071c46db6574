//! Integration tests.

#![expect(
    clippy::unwrap_used,
    reason = "what cannot be unwrapped fails its test"
)]

mod amounts;

mod conducting;
mod contention;
mod counting;
mod cycles;
mod documents;
mod duels;
mod estimates;
mod faults;
mod interruption;
mod looks;
mod notes;
mod overlap;
#[cfg(unix)]
mod processes;
mod resolution;
mod stage;
mod synthetic;
mod waiting;
