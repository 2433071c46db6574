//! What the program gives to its caller: text, data, exit codes, and the lines of a run.

mod console;
mod exit;
mod recorder;

pub use console::Console;
pub use exit::{ENVIRONMENT, FAILED, FINE, Stop, USAGE, to_stderr};
pub(crate) use exit::{fail_without_main, running, unfinished};
pub(crate) use recorder::{Recorded, Recorder};
