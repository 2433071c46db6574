//! The archive and its index.

mod archive;
#[cfg(feature = "sqlite")]
mod large;
mod samples;
#[cfg(feature = "sqlite")]
mod sqlite;
