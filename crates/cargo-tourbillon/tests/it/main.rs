//! The subcommand as cargo and people start it.

mod clocks;
mod isolation;
mod program;
mod usage;
