//! `coverage LOG [RUN..]`: adds what runs of a store say to a log, and prints how often the runs of the
//! log are right. `scripts/coverage.sh` calls it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use sim::{line, parse, readings, real_coverage};
use tourbillon_record::Run;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "coverage: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut arguments = std::env::args_os().skip(1);
    let log = arguments.next().ok_or("give the log to add to")?;
    let log = Path::new(&log);
    let mut lines = String::new();
    for file in arguments {
        let file = Path::new(&file);
        let bytes =
            fs::read(file).map_err(|e| format!("{} cannot be read: {e}", file.display()))?;
        let run = Run::parse_bytes(&bytes).map_err(|e| format!("{}: {e}", file.display()))?;
        let found = readings(&run).map_err(|e| format!("{}: {e}", file.display()))?;
        lines.extend(found.iter().map(line));
    }
    let cannot = |e: std::io::Error| format!("{} cannot be written: {e}", log.display());
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(log)
        .map_err(cannot)?;
    file.write_all(lines.as_bytes()).map_err(cannot)?;
    let text =
        fs::read_to_string(log).map_err(|e| format!("{} cannot be read: {e}", log.display()))?;
    let table = real_coverage(&parse(&text));
    writeln!(std::io::stdout(), "{table}").map_err(|e| format!("cannot print: {e}"))
}
