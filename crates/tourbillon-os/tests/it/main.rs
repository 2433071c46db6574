//! Integration tests: on Unix with the programs that every system has, on Windows with this one.

#![expect(
    clippy::unwrap_used,
    reason = "what cannot be unwrapped fails its test"
)]

#[cfg(unix)]
mod child;
#[cfg(all(feature = "commands", target_os = "linux"))]
mod commands;
#[cfg(windows)]
mod jobs;
#[cfg(unix)]
mod signals;
