//! Builds executables to compare: of revisions, of the working tree, of variations of it, and of files.
//!
//! A [`Maker`] makes a [`Build`] from a [`Subject`]. Its executables are copies in the cache, which no
//! later build changes. The objects that they were linked from are kept with them, so that they can be
//! linked again in other placements. Messages go to a [`Log`]: this crate prints nothing itself, but
//! cargo, which it runs, writes to stderr.
//!
//! Invariant: the user's checkout, its index and uncommitted changes stay as they are. The target
//! directory of the checkout is used for the working tree only, as `cargo bench` uses it.

#![forbid(unsafe_code)]

mod build;
mod build_error;
mod bundle;
mod cache;
mod cargo;
mod checkout;
mod commits;
mod compile;
mod dialect;
mod elf;
mod error;
mod git;
mod invocation;
mod keep;
mod key;
mod link_line;
mod lock;
mod maker;
mod objects;
mod owners;
mod placement;
mod relink;
mod saved;
mod sequence;
mod subject;
mod submodules;
mod targets;
mod unknown;
mod variables;

pub use self::build::{Build, Executable, Hold};
pub use self::bundle::{Bundle, BundledBuild};
pub use self::cache::Cache;
pub use self::cargo::{cargo, cargo_home};
pub use self::commits::{
    checkout_root, commit_of, folder_in_checkout, git_file, is_commit, main_line, main_line_of,
    subject_of, tracked_link,
};
pub use self::error::{Error, Log, Result};
pub use self::invocation::{Flag, Invocation};
pub use self::maker::Maker;
pub use self::placement::{Placed, Placements};
pub use self::relink::NotRelinkable;
pub use self::saved::SavedBuild;
pub use self::sequence::Shared;
pub use self::subject::{Selection, Subject, Variation};
pub use self::targets::{Built, Target, TargetKind, Workspace, build, kind, workspace_manifest};
pub use self::variables::ReadVariables;
