//! Has a bench program execute one op of a case, instruction by instruction.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tourbillon_builds::{Build, Executable};
use tourbillon_coordinator::runner::LOCK_VARIABLE;
use tourbillon_os::Signals;
use tourbillon_present::escape;
use tourbillon_record::{Line, Note};
use tourbillon_tool::config_file;
use tourbillon_tool::program_lines::decoded;
use tourbillon_tool::program_output::{Limits, printed};

use crate::steps::Steps;

/// The variable that names the folder into which a bench program writes.
const VARIABLE: &str = "TOURBILLON_STEPS";
/// The ending of its files.
const ENDING: &str = "steps";
/// Most bytes of what it prints.
const PRINTED_BYTES: u64 = 1 << 20;

/// The steps of a case, by its identity.
///
/// # Errors
///
/// Why there are none, in words of the program where it has some.
pub(crate) fn steps_of(
    build: &Build,
    executable: &Executable,
    case: &str,
    limit: Duration,
) -> Result<Steps, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no folder can be made: {error}"))?;
    let mut program = executable.invocation(build);
    program
        .words(&["--bench", "--counters", "instructions", "--launches", "1"])
        .words(&["--no-store", "--format", "jsonl", "--exact"])
        // Identities come from programs and records, and may begin as flags do.
        .verbatim(["--", case]);
    let process = program.process();
    process
        .env(VARIABLE, folder.path())
        .env(config_file::VARIABLE, config_file::NO_FILE)
        // This process has the lock.
        .env(LOCK_VARIABLE, "none")
        .stderr(Stdio::piped());
    let limits = Limits {
        bytes: PRINTED_BYTES,
        silence: Some(limit),
    };
    let ended = printed(process, limits, Signals::installed());
    // What it wrote counts, however it ended.
    if let Some(steps) = written(folder.path(), case)? {
        let lines = ended.map_or_else(
            |_| Vec::new(),
            |ended| decoded(&ended.stdout).unwrap_or_default(),
        );
        return Ok(Steps {
            pages: pages(&lines),
            ..steps
        });
    }
    let ended = ended.map_err(|error| format!("the program was not stepped: {error}"))?;
    let lines = decoded(&ended.stdout).unwrap_or_default();
    let mut whys = lines.into_iter().filter_map(|line| match line {
        Line::Stepped(stepped) => stepped.counts.err(),
        Line::Fault(fault) => Some(fault.message),
        _ => None,
    });
    if let Some(why) = whys.next_back() {
        return Err(format!("its op was not stepped: {}", escape(&why, true)));
    }
    let stderr = String::from_utf8_lossy(&ended.stderr);
    let mut lines = stderr.lines().rev().map(str::trim);
    Err(match lines.find(|line| !line.is_empty()) {
        Some(line) => format!("the program was not stepped: {}", escape(line, true)),
        None => "the program was not stepped, and prints no reason".to_owned(),
    })
}

/// The pages that an op touches for the first time, as the launch before that is stepped found them.
fn pages(lines: &[Line]) -> u64 {
    let notes = lines.iter().filter_map(|line| match line {
        Line::Result(result) => Some(&result.notes),
        _ => None,
    });
    let mut pages = notes.flatten().filter_map(|note| match note {
        Note::PagesTouched { per_op } => Some(per_op.round() as u64),
        _ => None,
    });
    pages.next().unwrap_or(0)
}

/// The steps of a case among the files of a folder.
fn written(folder: &Path, case: &str) -> Result<Option<Steps>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{folder:?}: {error}"))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
        .collect();
    files.sort();
    for file in files {
        let steps = Steps::read(&file).map_err(|error| error.to_string())?;
        if case == steps.case {
            return Ok(Some(steps));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use tourbillon_record::CaseResult;

    use super::*;
    use crate::steps::tests::SMALL;

    #[test]
    fn pages_are_those_of_the_note() {
        let of = |notes: Vec<Note>| {
            let result = CaseResult {
                notes,
                ..CaseResult::default()
            };
            pages(&[Line::Result(result)])
        };
        assert_eq!(of(vec![Note::PagesTouched { per_op: 63.7 }]), 64);
        assert_eq!(of(Vec::new()), 0);
    }

    #[test]
    fn the_steps_of_the_case_are_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
        write("0.steps", &SMALL.replace("p/t::c", "p/t::d")).expect("written");
        write("1.steps", SMALL).expect("written");
        write("2.txt", "x").expect("written");
        let found = |case: &str| written(folder.path(), case).expect("steps");
        assert!(found("p/t::c[n=a b]").is_some());
        assert!(found("p/t::e").is_none());
        write("0.steps", "x").expect("written");
        assert!(written(folder.path(), "p/t::c[n=a b]").is_err());
    }
}
