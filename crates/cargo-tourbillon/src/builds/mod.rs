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
mod fixed;
mod git;
mod greet;
mod inputs;
mod keep;
mod key;
mod link_line;
mod linker;
mod lock;
mod maker;
mod objects;
mod outside;
mod padding;
mod placement;
mod prune;
mod record;
mod relink;
mod sequence;
mod subject;
mod symbols;
mod toolchain;
mod unfinished;
mod unsuited;
mod users_lock;
mod variation;

pub(crate) use self::build::{Build, Executable};
pub(crate) use self::cache::{Cache, create, refused};
pub(crate) use self::fixed::Fixed;
pub(crate) use self::maker::{Maker, unsaved};
pub(crate) use self::placement::{Placed, Placements};
pub(crate) use self::prune::{prune, size};
pub(crate) use self::record::{PLACED, read, write};
pub(crate) use self::sequence::Shared;
pub(crate) use self::subject::{Selection, Subject};
pub(crate) use self::unfinished::Unfinished;
pub(crate) use self::variation::Variation;
