//! The command line: one table of flags, what was typed, and what the program needs.

mod duration;
mod environment;
mod flag;
mod help;
mod high;
mod low;
mod nearest;
mod selection;
mod table;
mod usage;
mod value;

pub(crate) use environment::Environment;
pub(crate) use help::help;
pub(crate) use high::{Data, HighArgs, Mode, StoreChoice};
pub(crate) use low::LowArgs;
pub(crate) use selection::Selection;
pub(crate) use usage::Usage;
