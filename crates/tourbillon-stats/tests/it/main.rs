//! Integration tests: properties that hold for all samples, coverage by enumeration, and published
//! worked examples.
//!
//! Fixtures are marked exact (the same bits) or approximate (and why).

#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod coverage;
mod invariance;
mod literature;
mod reproducible;
