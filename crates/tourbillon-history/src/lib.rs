//! Results over time: what is kept of them, where they change, and which commit changed them.
//!
//! Records are kept in an archive, and an index of it answers questions ([`index`]). Changes are nominated in series of
//! results ([`changes`]), confirmed by comparing commits side by side ([`confirm`]), and searched for ([`bisect`]).
//! Each module with `Options` is a subcommand.
//!
//! A part of Tourbillon; use the command `cargo tourbillon history`.

#![forbid(unsafe_code)]
#![warn(clippy::match_bool)]

mod bisect_range;
mod bisect_result;
mod bisection;
mod branch_runs;
mod case_pattern;
mod change_points;
mod confirmations;
mod equal_builds;
mod index_location;
mod listing;
mod location;
mod machine_groups;
mod nominate;
mod picture;
mod revisions;
mod scope;
mod search;
mod series_choice;
#[cfg(feature = "postgres")]
mod server;
mod short_names;
mod turning_points;

pub mod acceptance;
pub mod add;
pub mod backfill;
pub mod bisect;
pub mod changes;
pub mod confirm;
pub mod index;
pub mod log;
pub mod prune;
pub mod report;

pub use self::bisection::{Bisection, Probe, Probed};
pub use self::change_points::{ChangeDetector, ChangePoint};
pub use self::location::Location;
pub use self::scope::HistoryScope;
pub use self::series_choice::{BranchChoice, SeriesChoice};
