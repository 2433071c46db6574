//! `commands LOG`: what would have come of the comparisons of `scripts/commands.sh redrawn` with the names of the two
//! programs drawn anew.

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use sim::{Repeats, command_rounds, redrawn_commands};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            // Nothing is left to be done when even this cannot be written.
            let _ = writeln!(io::stderr(), "commands: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, String> {
    let Some(log) = std::env::args_os().nth(1) else {
        return Err("write the path of a log".to_owned());
    };
    let text = fs::read_to_string(&log)
        .map_err(|error| format!("{} cannot be read: {error}", log.display()))?;
    let all = command_rounds(&text);
    if all.is_empty() {
        return Err(format!("{} has no rounds of two commands", log.display()));
    }
    let repeats = Repeats {
        count: 20_000,
        threads: 2,
        seed: 1,
    };
    let table = redrawn_commands(&all, repeats);
    writeln!(io::stdout(), "{table}").map_err(|error| format!("cannot print: {error}"))?;
    Ok(table.wrong().is_empty())
}
