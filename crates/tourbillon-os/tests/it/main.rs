//! Integration tests, with the programs that every Unix has.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    reason = "what cannot be unwrapped fails its test"
)]

mod child;
#[cfg(all(feature = "commands", target_os = "linux"))]
mod commands;
mod signals;
