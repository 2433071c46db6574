//! Programs that print the tables of a log.

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::Table;

/// Prints the tables of the log that the first argument names, and what in them is not as it shall be. The exit code is
/// 1 then, and 2 with a message under `program` if there are no tables.
pub fn print_tables(
    program: &str,
    tables: impl FnOnce(&str) -> Result<Vec<Table>, String>,
) -> ExitCode {
    match print(tables) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            // Nothing is left to be done when even this cannot be written.
            let _ = writeln!(io::stderr(), "{program}: {message}");
            ExitCode::from(2)
        }
    }
}

/// Whether all is as it shall be.
fn print(tables: impl FnOnce(&str) -> Result<Vec<Table>, String>) -> Result<bool, String> {
    let Some(log) = std::env::args_os().nth(1) else {
        return Err("write the path of a log".to_owned());
    };
    let text = fs::read_to_string(&log)
        .map_err(|error| format!("{} cannot be read: {error}", log.display()))?;
    let tables = tables(&text).map_err(|error| format!("{}: {error}", log.display()))?;
    let mut text = String::new();
    for table in &tables {
        text += &format!("{table}\n");
    }
    let wrong: Vec<_> = tables.iter().flat_map(Table::wrong).collect();
    for line in &wrong {
        text += &format!("not as it shall be: {line}\n");
    }
    io::stdout()
        .write_all(text.as_bytes())
        .map_err(|error| format!("cannot print: {error}"))?;
    Ok(wrong.is_empty())
}
