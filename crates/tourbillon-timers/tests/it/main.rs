//! Integration tests.

mod canary;
mod counters;
mod golden;
mod granularity;
mod isolation;
mod sources;
mod strange;
