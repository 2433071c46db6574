//! `agreement FOLDER..`: whether the runs of an executable that are in a folder give the same answers;
//! of several folders, side by side. `scripts/reproducible.sh` makes the folders.
//!
//! A folder holds `quiet` and `busy`, with a file of lines of JSON for each run; or folders of that form,
//! one for each executable. Exit code 1 when there is one executable and its answers are not as they
//! shall be, 2 when something cannot be read.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use evidence::agreement::{Agreement, Measured, Run};

/// What else the machine does, which names the folders.
const CONDITIONS: [&str; 2] = ["quiet", "busy"];

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            // Nothing is left to be done when even this cannot be written.
            let _ = writeln!(io::stderr(), "agreement: {message}");
            ExitCode::from(2)
        }
    }
}

/// Prints the tables; whether everything is as it shall be, where there is one executable.
fn run() -> Result<bool, String> {
    let mut executables = Vec::new();
    for folder in env::args_os().skip(1).map(PathBuf::from) {
        executables.extend(executables_in(&folder)?);
    }
    let mut measured = Vec::new();
    for folder in &executables {
        for condition in CONDITIONS {
            let runs = runs_in(&folder.join(condition))?;
            if !runs.is_empty() {
                measured.push(Measured {
                    name: name_of(folder, &executables),
                    condition: condition.to_owned(),
                    runs,
                });
            }
        }
    }
    if measured.is_empty() {
        return Err("there are no runs; give folders that scripts/reproducible.sh made".to_owned());
    }
    let agreement = Agreement { measured };
    let mut printed = agreement.to_string();
    let wrong = match executables.len() {
        1 => agreement.wrong(),
        _ => Vec::new(),
    };
    for line in &wrong {
        printed += &format!("not as it shall be: {line}\n");
    }
    io::stdout()
        .write_all(printed.as_bytes())
        .map_err(|error| format!("standard output cannot be written: {error}"))?;
    Ok(wrong.is_empty())
}

/// The folder itself, or those in it that hold runs, in the order of the alphabet.
fn executables_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let has_runs = |folder: &Path| {
        CONDITIONS
            .iter()
            .any(|condition| folder.join(condition).is_dir())
    };
    if has_runs(folder) {
        return Ok(vec![folder.to_owned()]);
    }
    let mut inside = entries(folder)?;
    inside.retain(|folder| has_runs(folder));
    Ok(inside)
}

/// The runs of a folder in the order of the alphabet; none where there is no such folder.
fn runs_in(folder: &Path) -> Result<Vec<Run>, String> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = entries(folder)?;
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    let read = |file: &PathBuf| {
        let name = file.display();
        let lines = fs::read_to_string(file).map_err(|e| format!("{name} cannot be read: {e}"))?;
        Run::read(&lines).map_err(|e| format!("{name}: {e}"))
    };
    files.iter().map(read).collect()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |error: io::Error| format!("{} cannot be read: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        paths.push(entry.map_err(cannot)?.path());
    }
    paths.sort();
    Ok(paths)
}

/// The last part of the path; all of it where two would have the same name.
fn name_of(folder: &Path, all: &[PathBuf]) -> String {
    let last = |folder: &Path| folder.file_name().map(|name| name.display().to_string());
    let same = all
        .iter()
        .filter(|other| last(other) == last(folder))
        .count();
    match last(folder) {
        Some(name) if same == 1 => name,
        _ => folder.display().to_string(),
    }
}
