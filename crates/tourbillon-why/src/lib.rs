//! Why a case takes as long as it does, and why one build of it takes longer than another.
//!
//! One op of a case is executed instruction by instruction, and it is noted how often each instruction was executed in
//! each stack ([`Trace`](tourbillon_stepper::Trace)). Symbols and line tables name the functions and lines of these addresses, inlined
//! functions too ([`profile()`]). Of two builds, functions, lines of the diff and the hottest code stand side by side below
//! one sentence with the cause ([`why`], and [`explain`] for `compare` and `ci`).
//!
//! Counts are exact and have no noise: nothing here measures time.
//!
//! A part of Tourbillon; use the commands `cargo tourbillon profile` and `cargo tourbillon why`.

#![forbid(unsafe_code)]
#![warn(clippy::match_bool)]

mod allocations;
mod assembly;
mod cause;
mod changed_lines;
mod costly;
mod debug_extent;
mod difference;
mod explain;
mod explanation;
mod explanation_blocks;
mod folded_stacks;
mod frame;
mod images;
mod listing;
mod profile;
mod profile_command;
mod sentence;
mod side;
mod sources;
mod system_callers;
#[cfg(test)]
mod tests;
mod why_command;

pub use self::explain::explain;
pub use self::profile_command::{ProfileRequest, profile};
pub use self::why_command::{WhyRequest, why};
