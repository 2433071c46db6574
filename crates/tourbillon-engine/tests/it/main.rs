//! Integration tests.

#[cfg(target_arch = "x86_64")]
mod assembly;
mod documents;
mod stage;
mod together;
mod turns;
mod visits;
