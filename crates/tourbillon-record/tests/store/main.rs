//! Integration tests: the store on real files, disturbed in every way that happens.

#![expect(clippy::unwrap_used, reason = "a test ends with the panic")]

mod baseline;
mod child;
mod disturbance;
mod folder;
mod last;
mod locate;
mod runs;
mod samples;
