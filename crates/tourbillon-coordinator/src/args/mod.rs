//! The command line: what was typed, and what the program needs.

mod defaults;
mod environment;
mod flag;
mod flags;
mod help;
mod high;
mod low;
mod origins;
mod parse;
mod selection;

#[cfg(test)]
#[path = "../../tests/units/args.rs"]
mod tests;

pub use defaults::Defaults;
pub use environment::Environment;
pub use high::{Data, HighArgs, ListFormat, Mode, StoreChoice};

pub use flag::Flag;
pub use help::help;
pub use low::{Format, LowArgs};
pub(crate) use origins::origins;
pub use parse::{all as all_flags, find as find_flag, is_flag};
pub use selection::{Chosen, Pick, Picker, Selection};
