//! Suites of criterion, run as cargo runs them.
