//! Climbs the ladder of measurements: see `evidence::ladder`.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use evidence::ladder::{ONE_PROCESS, one_process, rungs};

fn main() -> ExitCode {
    match run() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            // Nothing is left to be done when even this cannot be written.
            let _ = writeln!(io::stderr(), "ladder: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

fn run() -> io::Result<()> {
    let mut stdout = io::stdout();
    if env::args().nth(1).as_deref() == Some(ONE_PROCESS) {
        return writeln!(stdout, "{}", one_process());
    }
    if cfg!(debug_assertions) {
        writeln!(
            stdout,
            "debug build: these figures are not of optimised code; run\n\
             cargo run --profile bench -p examples --bin ladder\n"
        )?;
    }
    writeln!(stdout, "{:<28}{:>24}{:>24}", "", "says", "is")?;
    for rung in rungs() {
        write!(stdout, "{rung}")?;
    }
    Ok(())
}
