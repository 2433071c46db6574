//! Integration tests: what a person sees, byte for byte, and what holds for every text.

mod beside;
mod columns;
mod disturbance;
mod faults;
mod figures;
mod formats;
mod header;
mod latencies;
mod lines;
mod list;
mod marks;
mod notes;
mod otherwise;
mod progress;
mod same;
mod samples;
mod summary;
mod sweeps;
mod table;
mod timing;
mod verdicts;
