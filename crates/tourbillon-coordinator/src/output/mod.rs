//! What the program gives to its caller: text, data, exit codes, and the lines of a run.

mod console;
mod exit;
mod first_figures;
mod recorder;

pub use console::Console;
pub use exit::{
    ENVIRONMENT, FAILED, FINE, Stop, USAGE, fail_without_main, running, to_stderr, unfinished,
};
pub(crate) use recorder::{Recorded, Recorder};
