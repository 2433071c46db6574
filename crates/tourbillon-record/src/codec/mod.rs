//! How lines and frames become JSON and come back.
//!
//! Written by hand: a [`Writer`](crate::json::Writer) that appends members, and [`Fields`] that are
//! taken out of an object by name. A file here holds the two directions of one line type;
//! docs/reference/record-format.md describes the same for readers, and a test holds the two against each other.
//!
//! What writes or takes one field is called from dozens of places and is `#[inline(never)]`: with
//! copies of it everywhere an optimised build of this crate, which every bench binary waits for,
//! takes 1.4 times as long.

mod case;
mod columns;
mod end;
mod entry;
mod envelope;
mod expected;
mod fault;
mod fields;
mod first_error;
mod frame;
mod header;
mod line;
mod members;
mod memory;
mod plan;
mod result;
mod rounds;
mod verdict;
mod visit;

pub(crate) use expected::{header, result};

use envelope::start;
use first_error::FirstError;
use members::Fields;
