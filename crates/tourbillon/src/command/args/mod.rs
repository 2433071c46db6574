//! The command line: what was typed, and what the program needs.

mod high;
mod low;
mod selection;

#[cfg(test)]
#[path = "../../../tests/units/args.rs"]
mod tests;

pub use high::{Data, Environment, HighArgs, ListFormat, Mode, StoreChoice};

pub(crate) use low::help;
pub use low::{Format, LowArgs};
pub use selection::{Chosen, Selection};
