//! Commands that use a server of PostgreSQL. `scripts/postgres.sh --tests` starts one.

mod history;
mod server;
