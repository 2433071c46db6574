//! Integration tests.

mod arrows;
mod harness;
mod registry;
mod registry_calls;
mod registry_rejected;
mod tidy;
