//! `merge`: the records of all shards, and of all machines, as one file.

use std::path::PathBuf;

use clap::Args;
use tourbillon_compare::confidence;
use tourbillon_compare::merge::{self, MergeOptions};

use crate::build_flags::GateFlags;
use crate::exit::Stop;
use crate::store_flags::ConfigFlag;

const AFTER: &str = "\
Examples:
  cargo tourbillon merge shard-*/ -o all.jsonl
  cargo tourbillon merge shard-*/ -o all.jsonl --gate 2%
  cargo tourbillon show all.jsonl";

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

pub(crate) fn run(arguments: Arguments) -> Result<(), Stop> {
    merge::run(&MergeOptions {
        paths: arguments.paths,
        output: arguments.output,
        undecided_fails: arguments.gate.undecided_fails(),
        gates: arguments.gate.gates,
        confidence: arguments.confidence,
        config: arguments.config.path(),
    })
}
