//! What another front end of the engine takes from this one: the run of a bench program, its command line, its
//! output. Not part of the API.

pub use crate::adhoc::{InProcess, measure_in_process};
pub use crate::command::args::{
    Chosen, Data, Defaults, Environment, Format, HighArgs, ListFormat, LowArgs, Mode, Selection,
    StoreChoice, is_flag,
};
pub use crate::command::output::{Console, ENVIRONMENT, FAILED, FINE, Stop, USAGE, to_stderr};
pub use crate::command::run::{Home, Selected, WorkerLaunch, bench, ratio};
pub use crate::command::settings_text;
pub use crate::command::test_mode::{once, run_for};
pub use crate::command::text;
pub use crate::panics::{Panicked, caught, caught_anywhere, listen};
pub use crate::registry::target_of;
