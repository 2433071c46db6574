//! Another bench target.

use tourbillon::{bench, hide};

#[bench]
fn other() -> u64 {
    hide(5_u64) + 6
}

fn main() -> std::process::ExitCode {
    tourbillon::main()
}
