//! Executables to compare: of revisions, of the working tree, of variations of it, and of files.
//!
//! A [`Build`] is made by a [`Maker`] from a [`Subject`]. Its executables are copies in the cache,
//! which no later build changes; with the objects that they were linked from beside them, they are
//! linked again in other placements.
//!
//! Invariant: the user's checkout, its index, and what is not committed stay as they are. The target
//! directory of the checkout is used for the working tree alone, as `cargo bench` would.

mod build;
mod cache;
mod clone;
mod compile;
mod configuration;
mod git;
mod greet;
mod key;
mod link_line;
mod lock;
mod maker;
mod objects;
mod placement;
mod prune;
mod record;
mod subject;
mod toolchain;
mod variation;

pub(crate) use self::build::{Build, Executable};
pub(crate) use self::cache::Cache;
pub(crate) use self::maker::Maker;
pub(crate) use self::placement::Fixed;
pub(crate) use self::prune::{prune, size};
pub(crate) use self::record::{read, write};
pub(crate) use self::subject::{Selection, Subject};
pub(crate) use self::variation::Variation;
