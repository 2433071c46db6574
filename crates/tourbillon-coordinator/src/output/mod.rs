//! What the program gives to its caller: text, data, exit codes, and the lines of a run.

mod backtrace;
mod console;
mod exit;
mod first_figures;
mod hint;
mod recorder;

pub(crate) use backtrace::without_backtraces;
pub use backtrace::{BACKTRACE, own_frames};
pub use console::Console;
pub use exit::{
    ENVIRONMENT, FAILED, FINE, Stop, USAGE, fail_without_main, running, say_error, to_stderr,
    unfinished,
};
pub use hint::measuring_hint;
pub(crate) use recorder::{Recorded, Recorder};
