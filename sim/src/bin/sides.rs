//! `sides LOG`: what came of the comparisons of `scripts/sides.sh`, and what would have come of them with
//! other orders and names of the sides.

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use sim::{Repeats, recorded, redrawn, tried};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            // Nothing is left to be done when even this cannot be written.
            let _ = writeln!(io::stderr(), "sides: {message}");
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
    let all = recorded(&text);
    let repeats = Repeats {
        count: 5_000,
        threads: 2,
        seed: 1,
    };
    let mut wrong = Vec::new();
    for table in [tried(&all), redrawn(&all, repeats)] {
        writeln!(io::stdout(), "{table}").map_err(|error| format!("cannot print: {error}"))?;
        wrong.extend_from_slice(table.wrong());
    }
    for line in &wrong {
        writeln!(io::stdout(), "not as it shall be: {line}")
            .map_err(|error| format!("cannot print: {error}"))?;
    }
    Ok(wrong.is_empty())
}
