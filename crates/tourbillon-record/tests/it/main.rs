//! Integration tests: the codec, whole runs, the store, and the pages of the format.

#![expect(clippy::unwrap_used, reason = "a test ends with the panic")]

mod calls;
mod commands;
mod comparison_lines;
mod count_lines;
mod damage;
mod document;
mod entries;
mod field_tables;
mod golden;
mod impossible;
mod json;
mod otherwise;
mod random;
mod random_lines;
mod random_results;
mod round_trip;
mod run;
mod samples;
mod sources;
mod store;
mod teams;
