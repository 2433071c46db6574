//! What another front end of the engine takes from this one. Not part of the API.

pub use crate::adhoc::{InProcess, measure_in_process};
pub use crate::command::test_mode::{once, run_for};
pub use crate::command::{COUNTS, WorkerLaunch, text};
pub use crate::panics::{Panicked, caught, caught_anywhere, listen};
pub use crate::registry::target_of;
