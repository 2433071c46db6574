//! `steadiness LOG`: how far the estimates of the runs of a log are apart, in nanoseconds and in cycles.
//! `scripts/steadier.sh` calls it.

use std::io::Write;
use std::process::ExitCode;

use sim::{parse, steadiness};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "steadiness: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let log = std::env::args_os().nth(1);
    let log = log.ok_or("write the path of a log, as `coverage` appends to")?;
    let text = std::fs::read_to_string(&log)
        .map_err(|e| format!("{} cannot be read: {e}", log.display()))?;
    let table = steadiness(&parse(&text));
    writeln!(std::io::stdout(), "{table}").map_err(|e| format!("cannot print: {e}"))
}
