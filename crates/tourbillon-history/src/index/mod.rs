//! An archive of records, and an index of it.
//!
//! The truth is an [`Archive`]: a folder of records that are never changed, each under the hash of its bytes,
//! and of a [`RunSummary`] or [`ComparisonSummary`] of each. Any number of machines may write to it: two
//! writers of one record write the same file. An [`Index`] answers questions about it. It can be deleted at
//! any time: [`update`] adds what it does not have.

mod archive;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod columns;
mod comparison;
mod compilation_text;
mod error;
mod failure;
mod file_kind;
mod index_address;
mod interface;
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

pub use self::archive::{Archive, Pruned};
pub use self::comparison::{CommitVerdict, ComparisonSummary, NumberName};
pub(crate) use self::compilation_text::parse as compilation;
pub use self::error::Error;
pub use self::failure::Failure;
pub use self::file_kind::FileKind;
pub use self::index_address::IndexAddress;
pub use self::interface::{Index, IndexedRun, Log, Point, Series};

#[cfg(feature = "postgres")]
pub use self::postgres::{PostgresIndex, Rights, ServerAddress};
#[cfg(feature = "sqlite")]
pub use self::sqlite::SqliteIndex;
pub use self::summary::{RunFigure, RunSummary};
pub use self::update::{Left, Updated, update};
