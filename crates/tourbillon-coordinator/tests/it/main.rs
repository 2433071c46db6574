//! Integration tests.

#![expect(
    clippy::unwrap_used,
    reason = "what cannot be unwrapped fails its test"
)]

mod amounts;
mod comparisons;
mod contention;
mod counting;
mod faults;
mod interruption;
mod looks;
#[cfg(unix)]
mod processes;
mod runs;
mod stage;
mod stepping;
