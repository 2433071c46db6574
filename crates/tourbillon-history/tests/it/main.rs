//! The archive and its index.

#![warn(clippy::match_bool)]

#[cfg(feature = "sqlite")]
mod answers;
mod archive;
#[cfg(feature = "sqlite")]
mod large;
#[cfg(all(feature = "postgres", feature = "sqlite"))]
mod postgres;
mod samples;
#[cfg(feature = "sqlite")]
mod sqlite;
