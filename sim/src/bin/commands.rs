//! `commands LOG`: what would have come of the comparisons of `scripts/commands.sh redrawn` with the names of the two
//! programs drawn anew.

use std::process::ExitCode;

use sim::{Repeats, command_rounds, print_tables, redrawn_commands};

fn main() -> ExitCode {
    print_tables("commands", |log| {
        let all = command_rounds(log);
        if all.is_empty() {
            return Err("it has no rounds of two commands".to_owned());
        }
        let repeats = Repeats {
            count: 20_000,
            threads: 2,
            seed: 1,
        };
        Ok(vec![redrawn_commands(&all, repeats)])
    })
}
