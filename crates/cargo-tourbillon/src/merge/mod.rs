//! `cargo tourbillon merge`: the records of all shards, and of all machines, as one file.

mod answer;
mod compared;
mod gate;
mod machines;
#[cfg(test)]
mod mutated;
mod parts;
mod whole;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use tourbillon_clock::wall;
use tourbillon_report::counted;

use self::gate::SuiteGate;
use self::parts::Parts;
use crate::compare::{Gate, GateFlags, confidence, error};
use crate::config_file::ConfigFlag;
use crate::exit::{FAILED, GATE, Stop, print, say};
use crate::output;
use crate::record_file::{bytes_named, unreadable};

const AFTER: &str = "\
Examples:
  cargo tourbillon merge shard-*/ -o all.jsonl
  cargo tourbillon merge shard-*/ -o all.jsonl --gate 2%
  cargo tourbillon show all.jsonl";

/// Extension of records.
const EXTENSION: &str = "jsonl";

/// Join the records of all shards, or of all machines
///
/// Takes the records of runs with --partition, and of comparisons of two commits that several machines made, from files
/// and from folders with the folders in them, and writes their whole lines to one file, one after the other, without a change.
/// Merging a part again, or in another order, gives the same file. Exits with 3 if a shard is missing or a case failed:
/// the answer is undecided then.
///
/// --gate judges the comparisons of shards: its confidence holds for the cases of all shards together.
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub(crate) struct Arguments {
    /// Records, and folders of them
    #[arg(value_name = "DIR", required = true)]
    paths: Vec<PathBuf>,
    /// The file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    gate: GateFlags,
    /// Confidence of the gate, such as 99.9%
    #[arg(long, value_name = "PCT", value_parser = confidence)]
    confidence: Option<f64>,
    #[command(flatten)]
    config: ConfigFlag,
}

impl Arguments {
    /// The gate of the flags and of the file of defaults.
    fn gate(&self) -> Result<Option<SuiteGate>, Stop> {
        let gate = Gate::read(&self.gate.gates, self.config.file()?.as_ref())?;
        Ok(gate.map(|gate| SuiteGate {
            gate,
            error: error(self.confidence),
            undecided_fails: self.gate.undecided_fails(),
            typed: self.gate.gates.clone(),
        }))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Stop> {
    let gate = arguments.gate()?;
    let mut parts = Parts::new(wall::unix_ns());
    let inputs = files(&arguments.paths)?;
    let output = &arguments.output;
    output::refuse_inputs(output, &inputs)?;
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
    print(&answers.text)?;
    match (answers.are_decided, answers.pass) {
        (false, _) => Err(Stop::Code(FAILED)),
        (true, false) => Err(Stop::Code(GATE)),
        (true, true) => Ok(()),
    }
}

/// What the runs of one file come to, without a gate.
pub(crate) fn text(bytes: &[u8]) -> Option<String> {
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
