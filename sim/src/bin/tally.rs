//! `tally LOG`: what came of the comparisons of `scripts/tries.sh`, as a table in Markdown.

use std::io::{self, Write};
use std::process::ExitCode;

use sim::Tally;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Nothing is left to be done when even this cannot be written.
            let _ = writeln!(io::stderr(), "tally: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let Some(log) = std::env::args_os().nth(1) else {
        return Err("write the path of a log".to_owned());
    };
    let text = std::fs::read_to_string(&log)
        .map_err(|error| format!("{} cannot be read: {error}", log.display()))?;
    let tally = Tally::read(&text);
    let unread = match tally.unread {
        0 => String::new(),
        count => format!("\n{count} lines could not be read.\n"),
    };
    write!(io::stdout(), "{}{unread}", tally.table()).map_err(|error| error.to_string())
}
