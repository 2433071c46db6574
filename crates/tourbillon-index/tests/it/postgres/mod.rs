//! The index on a server. `scripts/postgres.sh --tests` starts one.

mod index;
mod server;
mod tables;
