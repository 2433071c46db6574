//! The program that cargo starts as `cargo tourbillon`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cargo_tourbillon::cargo_tourbillon()
}
