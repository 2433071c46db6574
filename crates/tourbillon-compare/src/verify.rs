//! Assertions of the benchmarks of a build about each other, after the comparison of builds.

use std::process::Stdio;

use serde_json::json;
use tourbillon_builds::{Build, Executable, Flag};
use tourbillon_coordinator::runner::LOCK_VARIABLE;
use tourbillon_coordinator::values::Partition;
use tourbillon_os::Signals;
use tourbillon_present::{Block, Document};
use tourbillon_record::{Case, Line, Verdict};
use tourbillon_report::{Names, Style};
use tourbillon_tool::config_file;
use tourbillon_tool::exit::{Stop, say};
use tourbillon_tool::program_lines::decoded;
use tourbillon_tool::program_output::{Limits, code_of, not_run, printed};

use crate::options::Options;
use crate::results::assertion::of_assertion;
use crate::results::case_outcome::CaseOutcome;
use crate::results::document::{table, tally};
use crate::results::json_lines::verdict_line;
use crate::results::notes::notes_of;

/// What the program is asked for: its assertions, with as little else as possible.
const FLAGS: [&str; 8] = [
    "--bench",
    "--no-store",
    "--quiet",
    "--launches=1",
    "--max-time=1ms",
    "--format=jsonl",
    "--color=never",
    "--sort=source",
];

/// The verdicts of a build on its own assertions.
#[derive(Debug)]
pub(crate) struct Asserted {
    /// The label of the build.
    label: String,
    pub(crate) names: Names,
    pub(crate) verdicts: Vec<Verdict>,
    /// The exit code: 0, or that of a failure.
    pub(crate) code: u8,
}

impl Asserted {
    /// The assertions as a document.
    pub(crate) fn document(&self, style: &Style) -> Document {
        let asserted: Vec<CaseOutcome> = self
            .verdicts
            .iter()
            .map(|one| of_assertion(one, &self.names))
            .collect();
        let rows: Vec<&CaseOutcome> = asserted.iter().collect();
        let labels = [String::new(), self.label.clone()];
        let answer = tally(rows.iter().copied());
        Document {
            title: format!("assertions of {}", self.label),
            blocks: vec![
                Block::Table(table(&labels, &rows, style, true)),
                Block::Notes(notes_of(&rows)),
            ],
            answer,
            ..Document::default()
        }
    }

    /// The verdicts as in a record, with the label of the build.
    pub(crate) fn json_lines(&self) -> String {
        let candidate = [("candidate", json!(self.label))];
        let verdicts = self.verdicts.iter();
        verdicts
            .map(|verdict| verdict_line(verdict, &candidate))
            .collect()
    }
}

/// Has the programs of a build check their assertions. `lists` are the selected cases of its executables.
///
/// # Errors
///
/// When a program cannot be started or ends early.
pub(crate) fn verify(
    build: &Build,
    lists: &[Vec<Case>],
    options: &Options,
) -> Result<Asserted, Stop> {
    let mut asserted = Asserted {
        label: build.label.clone(),
        names: Names::of(lists.iter().flatten()),
        verdicts: Vec::new(),
        code: 0,
    };
    // Slices need one order on all machines.
    let mut programs: Vec<_> = build.executables.iter().zip(lists).collect();
    programs.sort_by_key(|(executable, _)| executable.name());
    let mut position = 0;
    for (executable, cases) in programs {
        let partition = options.partition.map(|partition| partition.after(position));
        position += cases.len() as u64;
        if cases.iter().any(|case| case.verify.is_some()) {
            let (of_program, of_exit) = checked(build, executable, options, partition)?;
            asserted.verdicts.extend(of_program);
            asserted.code = asserted.code.max(of_exit);
        }
    }
    Ok(asserted)
}

/// The verdicts of a program on its assertions, and its exit code: 0, or that of a failure.
fn checked(
    build: &Build,
    executable: &Executable,
    options: &Options,
    partition: Option<Partition>,
) -> Result<(Vec<Verdict>, u8), Stop> {
    let mut program = executable.invocation(build);
    let partition = partition.map(|partition| Flag::new("--partition=", partition.to_string()));
    // Filters of the command line come last: one may be after a `--`.
    program
        .words(&FLAGS)
        .flags(&partition)
        .verbatim(&options.bench_flags);
    let process = program.process();
    // This process has the lock.
    process.env(LOCK_VARIABLE, "none");
    match &options.file {
        Some(file) => process.env(config_file::VARIABLE, file),
        None => process.env(config_file::VARIABLE, config_file::NO_FILE),
    };
    process.stderr(Stdio::piped());
    let output = printed(process, Limits::LIST, Signals::installed())
        .map_err(|error| not_run(&executable.path, &error))?;
    match output.status.code() {
        Some(code @ (0 | 3)) => {
            let verdicts = with_limits(&output.stdout).map_err(|why| {
                let (name, label) = (executable.name(), &build.label);
                Stop::Environment(format!("{name} of {label}: {why}"))
            })?;
            Ok((verdicts, code as u8))
        }
        _ => {
            say(&String::from_utf8_lossy(&output.stderr));
            let (name, label) = (executable.name(), &build.label);
            let what =
                format!("{name} of {label} does not check its assertions; its message is above");
            Err(Stop::Failed(code_of(output.status), what))
        }
    }
}

/// The verdicts of assertions in what a program printed.
fn with_limits(printed: &[u8]) -> Result<Vec<Verdict>, String> {
    let verdicts = decoded(printed)?.into_iter().filter_map(|line| match line {
        Line::Verdict(verdict) => Some(verdict),
        _ => None,
    });
    Ok(verdicts.filter(|one| one.limit.is_some()).collect())
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Entry, Finding};

    use super::*;

    #[test]
    fn verdicts_with_a_limit_are_assertions() {
        let verdict = |limit| Verdict {
            case: "a".to_owned(),
            finding: Finding::Faster,
            limit,
            ..Verdict::default()
        };
        let both = [verdict(None), verdict(Some(1.05))];
        let lines = both.each_ref().map(|one| Entry::Verdict(one).encode());
        let printed = format!("printed by a benchmark\n{}\n", lines.join("\n"));
        let found = with_limits(printed.as_bytes()).expect("verdicts");
        assert_eq!(found, [verdict(Some(1.05))]);
    }
}
