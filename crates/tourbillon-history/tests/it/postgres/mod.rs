//! The index on a server. `scripts/postgres.sh --tests` starts one.

mod index;
pub(crate) mod server;
mod silent;
mod tables;
