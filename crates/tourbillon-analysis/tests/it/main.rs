//! Integration tests.

#![expect(
    clippy::unwrap_used,
    reason = "what cannot be unwrapped fails its test"
)]

mod amounts;
mod blocks;
mod calls;
mod commands;
mod contention;
mod cycles;
mod documents;
mod estimates;
mod evidence;
mod intervals;
mod launch_use;
mod long_batches;
mod note_kinds;
mod notes;
mod overlap;
mod percentile_verdicts;
mod readable;
mod resolution;
mod sweeps;
mod verdicts;
mod waiting;
