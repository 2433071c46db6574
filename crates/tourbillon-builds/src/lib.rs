//! Builds executables to compare: of revisions, of the working tree, of variations of it, and of files.
//!
//! A [`Maker`] makes a [`Build`] from a [`Subject`]. Its executables are copies in the cache, which no
//! later build changes. The objects that they were linked from are kept with them, so that they can be
//! linked again in other placements. Messages go to a [`Log`]: this crate prints nothing itself, but
//! what cargo says, which it runs, goes to stderr, made safe for a terminal ([`ErrorRelay`]).
//!
//! Invariant: the user's checkout, its index and uncommitted changes stay as they are. The target
//! directory of the checkout is used for the working tree only, as `cargo bench` uses it.

#![forbid(unsafe_code)]

mod cache;
mod compile;
mod elsewhere;
mod equality;
mod error;
mod error_relay;
mod invocation;
mod key;
mod maker;
mod placement;
mod source;

pub use self::cache::Cache;
pub use self::cache::build::{Build, Executable, Hold};
pub use self::cache::bundle::{Bundle, BundledBuild};
pub use self::cache::room::{CacheEntry, EntryKind};
pub use self::cache::saved_build::SavedBuild;
pub use self::compile::cargo::cargo;
pub use self::compile::configuration::cargo_home;
pub use self::compile::program_variables::variables_of_program;
pub use self::compile::rustc_wrapper::wrapped;
pub use self::compile::shared_libraries::{SearchedLibraries, library_path};
pub use self::compile::surroundings::Surroundings;
pub use self::compile::targets::{
    Built, Target, TargetKind, Workspace, build, kind, workspace_manifest,
};
pub use self::elsewhere::{Parcel, Runner, is_record, received};
pub use self::equality::{Doubt, Equality, equality};
pub use self::error::{Error, Log, Result};
pub use self::error_relay::ErrorRelay;
pub use self::invocation::{Flag, Interrupted, Invocation, Unwinding};
pub use self::maker::Maker;
pub use self::placement::relink::NotRelinkable;
pub use self::placement::sequence::Shared;
pub use self::placement::{Placed, Placements};
pub use self::source::commits::{
    checkout_root, commit_of, difference, file_of_commit, folder_in_checkout, git_file, is_commit,
    main_line, main_line_of, main_line_of_head, subject_of, tracked_link, why_no_checkout,
};
pub use self::source::editor_files::is_of_editor;
pub use self::source::ignore_rules::IgnoreRules;
pub use self::source::lock_steps::{LockSteps, lock_steps};
pub use self::source::revision_files::{HeldFiles, RevisionFiles};
pub use self::source::snapshot::Snapshot;
pub use self::source::subject::{Selection, Subject, Variation};
