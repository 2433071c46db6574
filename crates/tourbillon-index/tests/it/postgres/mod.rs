//! The index on a server. `scripts/postgres.sh --tests` starts one.

mod index;
mod queue;
mod server;
mod tables;
mod workers;
