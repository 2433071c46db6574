//! JSON (RFC 8259), as much of it as a line needs.
//!
//! * [`Value::parse`] holds a whole text against the grammar once; what a [`Value`] gives afterwards
//!   are pieces of that text. Numbers stay text until somebody says what they are, so that a `u64`
//!   keeps every digit and an `f64` every bit, and members that nobody knows can be kept as they
//!   came. There is no tree: nothing is allocated but texts that hold escapes.
//! * [`Writer`] appends one object to one string, member after member.
//!
//! Why not a library: docs/decisions/0001-dependencies-of-bench-binaries.md.

mod grammar;
mod text;
mod value;
mod writer;

pub(crate) use text::{push, put};
pub(crate) use value::{Items, Kind, Value};
pub(crate) use writer::Writer;
