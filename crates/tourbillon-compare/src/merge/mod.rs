//! `cargo tourbillon merge`: the records of all shards, and of all machines, as one file.

mod answer;
mod gate;
mod identity;
mod machines;
#[cfg(test)]
mod mutations;
#[cfg(test)]
mod mutator;
mod parts;
mod random_effects;
mod student;
mod whole;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tourbillon_clock::wall;
use tourbillon_report::counted;

pub use self::random_effects::{AcrossGroups, FEWEST_GROUPS, Group, across_groups};

use self::gate::SuiteGate;
use self::parts::Parts;
use crate::gate::flag::GateFlag;
use crate::gate::thresholds::Gate;
use crate::options::error;
use tourbillon_tool::config_file::ConfigPath;
use tourbillon_tool::exit::{FAILED, GATE, Stop, print_page, say};
use tourbillon_tool::output;
use tourbillon_tool::record_file::{bytes_named, unreadable};

/// Extension of records.
const EXTENSION: &str = "jsonl";

/// What is merged, and the gate of the whole.
#[derive(Clone, Debug, Default)]
pub struct MergeOptions {
    /// Records, and folders of them.
    pub paths: Vec<PathBuf>,
    /// The file.
    pub output: PathBuf,
    /// Thresholds of the command line.
    pub gates: Vec<GateFlag>,
    /// Whether an undecided case fails the gate.
    pub undecided_fails: bool,
    /// Confidence of the gate; `None` for the default.
    pub confidence: Option<f64>,
    /// The file of defaults.
    pub config: ConfigPath,
}

impl MergeOptions {
    /// The gate of the flags and of the file of defaults.
    fn gate(&self) -> Result<Option<SuiteGate>, Stop> {
        let gate = Gate::read(&self.gates, self.config.file()?.as_ref())?;
        Ok(gate.map(|gate| SuiteGate {
            gate,
            error: error(self.confidence),
            undecided_fails: self.undecided_fails,
            typed: self.gates.clone(),
        }))
    }
}

/// Joins the records of all shards, or of all machines, and prints what they come to.
///
/// # Errors
///
/// What is wrong with the options or the records; the exit code where the answer is undecided or the gate failed.
pub fn run(arguments: &MergeOptions) -> Result<(), Stop> {
    let gate = arguments.gate()?;
    let mut parts = Parts::new(wall::unix_ns());
    let inputs = files(&arguments.paths)?;
    let output = &arguments.output;
    output::refuse_inputs(output, &inputs)?;
    output::refuse_unwritable(output)?;
    for file in &inputs {
        let bytes = bytes_named(file)?;
        let before = parts.ahead;
        parts.add(&bytes).map_err(|what| unreadable(file, &what))?;
        if parts.ahead > before {
            say(&format!(
                "warning: a run of {file:?} began after now: another one of the same shard counts in its place; set the \
                 clock of its machine or of this one\n"
            ));
        }
    }
    if parts.is_empty() {
        let what = "there is no record of a shard, and none of a comparison of two commits; `run --partition` and \
                    `compare` make them";
        return Err(Stop::Usage(what.to_owned()));
    }
    if parts.others > 0 {
        let others = counted(parts.others, "run");
        say(&format!(
            "{others} skipped: neither a shard nor a comparison of two commits\n"
        ));
    }
    if parts.unbegun > 0 {
        let unbegun = counted(parts.unbegun, "run");
        say(&format!(
            "{unbegun} skipped: killed before the first line was written\n"
        ));
    }
    if let Some(gate) = &gate {
        gate.gate.warn_of_unmatched(parts.cases());
    }
    let answers = parts.answers(gate.as_ref())?;
    output::write_parts(output, &parts.records())?;
    print_page(&answers.text)?;
    match (answers.are_decided, answers.pass) {
        (false, _) => Err(Stop::Code(FAILED)),
        (true, false) => Err(Stop::Code(GATE)),
        (true, true) => Ok(()),
    }
}

/// What the runs of one file come to, without a gate.
pub fn text(bytes: &[u8]) -> Option<String> {
    let mut parts = Parts::new(u64::MAX);
    parts.add(bytes).ok()?;
    Some(parts.answers(None).ok()?.text)
}

/// The records in files and folders, each once.
fn files(paths: &[PathBuf]) -> Result<BTreeSet<PathBuf>, Stop> {
    let mut files = BTreeSet::new();
    let mut open: Vec<PathBuf> = paths.to_vec();
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            files.insert(path);
            continue;
        }
        let failed =
            |error: std::io::Error| Stop::Environment(format!("{path:?} cannot be read: {error}"));
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // Links could lead out of the folder, or in a circle.
            let kind = entry.file_type().map_err(failed)?;
            let path = entry.path();
            if kind.is_dir() || kind.is_file() && is_record(&path) {
                open.push(path);
            }
        }
    }
    Ok(files)
}

fn is_record(path: &Path) -> bool {
    path.extension().is_some_and(|found| found == EXTENSION)
}
