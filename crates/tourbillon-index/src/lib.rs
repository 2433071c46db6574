//! The history of benchmarks.
//!
//! The truth is an [`Archive`]: a folder of records that are never changed, each under the hash of its bytes,
//! and of a [`RunSummary`] or [`ComparisonSummary`] of each. Any number of machines may write to it: two
//! writers of one record write the same file. An [`Index`] answers questions about it. It can be deleted at
//! any time: [`update`] adds what it does not have.

#![forbid(unsafe_code)]

mod archive;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod columns;
mod comparison;
mod error;
mod failure;
mod file_kind;
mod index;
mod index_address;
mod json;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod new_rows;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod queries;
#[cfg(feature = "sqlite")]
mod sqlite;
mod summary;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod tables;
mod update;

pub use archive::{Archive, Pruned};
pub use comparison::{CommitVerdict, ComparisonSummary};
pub use error::Error;
pub use failure::Failure;
pub use file_kind::FileKind;
pub use index::{Index, IndexedRun, Log, Point, Series};
pub use index_address::IndexAddress;

#[cfg(feature = "postgres")]
pub use postgres::{PostgresIndex, Rights, ServerAddress};
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteIndex;
pub use summary::{RunFigure, RunSummary};
pub use update::{Left, Updated, update};
