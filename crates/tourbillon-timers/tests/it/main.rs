//! Integration tests.

mod contamination;
mod isolation;
mod sources;
mod strange;
