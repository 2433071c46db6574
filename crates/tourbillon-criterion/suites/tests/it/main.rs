//! Suites of criterion, run as cargo runs them.

mod failures;
mod measured;
mod modes;
mod suite;
