//! `tally-builds LOG [RECORD..]`: what came of the comparisons of `scripts/builds-tries.sh`, as tables
//! in Markdown. Records of comparisons of one code are judged again with what chance decides drawn anew.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use sim::{Repeats, Trace, TriedBuilds, redrawn_builds};

/// How often what was measured is judged again.
const REPEATS: Repeats = Repeats {
    count: 10_000,
    threads: 2,
    seed: 1,
};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            // Nothing is left to be done when even this cannot be written.
            let _ = writeln!(io::stderr(), "tally-builds: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool, String> {
    let mut arguments = std::env::args_os().skip(1);
    let log = arguments.next().ok_or("write the path of a log")?;
    let tried = TriedBuilds::read(&read(&log)?);
    print(&tried.tables())?;
    if tried.unread > 0 {
        print(&format!("\n{} lines could not be read.\n", tried.unread))?;
    }
    let mut trace = Trace::default();
    let mut any = false;
    for record in arguments {
        trace.add(&read(&record)?);
        any = true;
    }
    if !any {
        return Ok(true);
    }
    let table = redrawn_builds(&trace, REPEATS);
    print(&format!("\n{table}"))?;
    for line in table.wrong() {
        print(&format!("not as it shall be: {line}\n"))?;
    }
    Ok(table.wrong().is_empty())
}

fn read(path: &OsString) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

fn print(text: &str) -> Result<(), String> {
    write!(io::stdout(), "{text}").map_err(|error| format!("cannot print: {error}"))
}
