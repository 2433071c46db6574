//! The command line: what was typed, and what the program needs.

mod defaults;
mod environment;
mod held;
mod high;
mod low;
mod selection;

#[cfg(test)]
#[path = "../../tests/units/args.rs"]
mod tests;

pub use defaults::Defaults;
pub use environment::Environment;
pub use high::{Data, HighArgs, ListFormat, Mode, StoreChoice};

pub(crate) use held::held;
pub use low::{Format, LowArgs, help, is_flag};
pub use selection::{Chosen, Pick, Picker, Selection};
