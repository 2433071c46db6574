//! Suites of criterion, run as cargo runs them.

mod failures;
mod files;
mod lines;
mod measured;
mod modes;
mod nextest;
mod patch;
mod shared_workers;
mod suite;
mod traps;
mod workers;
