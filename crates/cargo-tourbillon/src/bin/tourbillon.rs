//! `tourbillon`: commands and records, without cargo.

use std::process::ExitCode;

fn main() -> ExitCode {
    cargo_tourbillon::tourbillon()
}
