//! What the libraries of Tourbillon's subcommand share.
//!
//! Exit codes and messages ([`exit`]), what a terminal shows ([`screen`]), files that are read
//! and written for the user ([`record_file`], [`output`], [`store`]), programs whose output is read ([`program_output`],
//! [`program_lines`]), and the machine: its facts, its lock and the clock of a run.
//!
//! A part of Tourbillon; use the command `cargo tourbillon`.

#![forbid(unsafe_code)]
#![warn(clippy::match_bool)]

pub mod bench_flags;
pub mod config_file;
pub mod exit;
pub mod interruptible;
pub mod machine_facts;
pub mod machine_kind;
pub mod machine_lock;
pub mod output;
pub mod pages;
pub mod patience;
pub mod program_lines;
pub mod program_output;
pub mod record_file;
mod record_text;
pub mod records;
pub mod run_clock;
pub mod screen;
pub mod sha256;
pub mod store;
