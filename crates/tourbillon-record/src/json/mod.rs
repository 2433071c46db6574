//! JSON (RFC 8259), as much of it as a line of a record needs.
//!
//! * [`Value::parse`] checks a whole text against the grammar once. A [`Value`] is a slice of that
//!   text: numbers stay text until a field converts them, so a `u64` keeps every digit and an `f64`
//!   every bit, and unknown members are kept as they are. There is no tree.
//! * [`Writer`] appends to one string.
//!
//! Why not a library: docs/decisions/0001-dependencies-of-bench-binaries.md.

mod read;
mod write;

pub use read::{Kind, Value};
pub use write::Writer;
