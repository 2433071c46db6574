//! Builds executables to compare: of revisions, of the working tree, of variations of it, and of
//! files.
//!
//! A [`Maker`] makes a [`Build`] from a [`Subject`]. Its executables are copies in the cache, which
//! no later build changes. The objects that they were linked from are kept with them, so that they
//! can be linked again in other placements.
//!
//! Invariant: the user's checkout, its index and uncommitted changes stay as they are. The target
//! directory of the checkout is used for the working tree only, as `cargo bench` uses it.

#![forbid(unsafe_code)]

mod build;
mod build_error;
mod cache;
mod clone;
mod compile;
mod configuration;
mod git;
mod handshake;
mod inputs;
mod keep;
mod key;
mod link_line;
mod linker;
mod lock;
mod maker;
mod not_relinkable;
mod objects;
mod padding;
mod path_deps;
mod placement;
mod prune;
mod record;
mod relink;
mod sequence;
mod stop;
mod subject;
mod symbols;
pub mod targets;
mod toolchain;
mod unfinished;
mod users_lock;
mod variation;

pub use self::build::{Build, Executable};
pub use self::cache::{Cache, create, refused};
pub use self::maker::{Maker, unsaved};
pub use self::not_relinkable::NotRelinkable;
pub use self::placement::{Placed, Placements};
pub use self::prune::{prune, size};
pub use self::record::{PLACED, read, write};
pub use self::sequence::Shared;
pub use self::stop::{CARGO, Stop, cargo, say};
pub use self::subject::{Selection, Subject};
pub use self::unfinished::Unfinished;
pub use self::variation::Variation;
