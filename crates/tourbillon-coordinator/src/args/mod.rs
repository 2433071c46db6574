//! The command line: what was typed, and what the program needs.

mod defaults;
mod environment;
mod flag;
mod flags;
mod foreign;
mod help;
mod high;
mod low;
mod origins;
mod parse;
mod selection;
mod suite_flags;

#[cfg(test)]
mod tests;

pub use defaults::Defaults;
pub use environment::Environment;
pub use high::{Data, HighArgs, ListFormat, Mode, StoreChoice};

pub use flag::Flag;
pub use flags::{all as all_flags, find as find_flag, is_flag, is_of_measuring};
pub use foreign::foreign_flag;
pub use help::{HelpEntry, HelpGroup, help, help_groups, help_text, label as help_label};
pub use low::{Format, LowArgs};
pub(crate) use origins::origins;
pub use selection::{Chosen, Pick, Picker, Selection};
pub use suite_flags::{SUITE_GROUPS, SuiteFlag, find_suite_flag};
