//! Compares the results of the benchmarks with the claims of their texts, in kind: which is slower,
//! and by how much at least.
//!
//! ```text
//! scripts/findings.sh
//! ```
//!
//! Reads JSON lines from standard input; ends with 1 when a finding does not hold.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use evidence::findings::{FINDINGS, Times};

fn main() -> ExitCode {
    let mut lines = String::new();
    if let Err(error) = io::stdin().read_to_string(&mut lines) {
        let _ = writeln!(
            io::stderr(),
            "findings: standard input cannot be read: {error}"
        );
        return ExitCode::FAILURE;
    }
    let times = Times::read(&lines);
    let mut all = true;
    let mut text = String::new();
    for finding in &FINDINGS {
        let (line, holds) = finding.held_against(&times);
        all &= holds;
        text.push_str(&line);
        text.push('\n');
    }
    // A closed pipe is no failure.
    let _ = io::stdout().write_all(text.as_bytes());
    if all {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
